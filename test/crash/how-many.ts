import { testSeed } from '../rig/test-seed.ts';

/**
 * How many boundaries a sweep kills at: each takes seconds. `npm test` takes a few, `npm run test:crash` takes many
 * (CRASH=many), and CRASH=all takes every one.
 */
export function howMany({ few, many }: { readonly few: number; readonly many: number }): number {
  const wanted = process.env['CRASH'];
  if (wanted === 'all') return Number.MAX_SAFE_INTEGER;
  return wanted === 'many' ? many : few;
}

/** Evenly chosen, as many as wanted; the seed decides with which it begins. */
export function thinned<T>(points: readonly T[], wanted: number, seed = testSeed): readonly T[] {
  const stride = Math.max(1, points.length / wanted);
  const first = seed % Math.ceil(stride);
  const partOf = (index: number): number => Math.floor((index - first) / stride);
  return points.filter((_, index) => partOf(index) !== partOf(index - 1));
}
