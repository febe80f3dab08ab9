import { firstFew } from '../../lib/first-few.ts';

/** Names runs of which nothing is recorded while processes of them live, and the command that ends these. */
export function unknownRunLines(ids: readonly string[]): string[] {
  const [first] = ids;
  if (first === undefined) return [];
  const runs = ids.length === 1 ? `run ${first}` : `runs ${firstFew(ids, 10)}`;
  return [
    `processes of ${runs} are alive, and nothing is recorded about ${ids.length === 1 ? 'it' : 'them'}`,
    `  → end them: tutti stop ${ids.length === 1 ? first : '--all'}`,
  ];
}
