/**
 * How many boundaries a sweep kills at: each takes seconds. `npm test` takes a few, `npm run test:crash` takes many
 * (CRASH=many), and CRASH=all takes every one.
 */
export function howMany({ few, many }: { readonly few: number; readonly many: number }): number {
  const wanted = process.env['CRASH'];
  if (wanted === 'all') return Number.MAX_SAFE_INTEGER;
  return wanted === 'many' ? many : few;
}
