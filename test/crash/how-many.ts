/**
 * How many boundaries a sweep kills at: each takes seconds. `npm test` takes a few, `npm run test:crash` takes many
 * (CRASH=many), and CRASH=all takes every one.
 */
export function howMany({ few, many }: { readonly few: number; readonly many: number }): number {
  const wanted = process.env['CRASH'];
  if (wanted === 'all') return Number.MAX_SAFE_INTEGER;
  return wanted === 'many' ? many : few;
}

/** Evenly chosen, as many as wanted. */
export function thinned<T>(points: readonly T[], wanted: number): readonly T[] {
  const stride = Math.max(1, points.length / wanted);
  return points.filter((_, index) => Math.floor(index / stride) !== Math.floor((index - 1) / stride));
}
