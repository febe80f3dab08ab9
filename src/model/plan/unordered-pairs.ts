import { getKnown } from '../../lib/get-known.ts';
import type { Graph } from '../graph.ts';

export interface Pair {
  readonly from: string;
  readonly to: string;
}

/**
 * Those pairs between which no way leads along the graph. Most are neighbours; for the others the graph is walked once for
 * every 32 places to start from, so that even a plan made to be slow is not.
 */
export function unorderedPairs<P extends Pair>(graph: Graph, pairs: readonly P[]): readonly P[] {
  const far = pairs.filter(({ from, to }) => from !== to && !graph.needs(to).includes(from));
  const connected = new Set<P>();
  const byStart = Map.groupBy(far, ({ from }) => from);
  const starts = [...byStart.keys()];
  for (let first = 0; first < starts.length; first += width) {
    const group = starts.slice(first, first + width);
    const masks = spread(graph, group);
    for (const [bit, start] of group.entries()) {
      for (const pair of getKnown(byStart, start)) {
        if (((masks.get(pair.to) ?? 0) & (1 << bit)) !== 0) connected.add(pair);
      }
    }
  }
  return far.filter((pair) => !connected.has(pair));
}

/** Bits in a number. */
const width = 32;

/** Each step with a bit for every start that it comes after. */
function spread(graph: Graph, starts: readonly string[]): ReadonlyMap<string, number> {
  const masks = new Map(starts.map((start, bit) => [start, 1 << bit]));
  for (const id of graph.order) {
    let mask = masks.get(id) ?? 0;
    for (const need of graph.needs(id)) mask |= masks.get(need) ?? 0;
    if (mask !== 0) masks.set(id, mask);
  }
  return masks;
}
