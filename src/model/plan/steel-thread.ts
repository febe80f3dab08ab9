import { getKnown } from '../../lib/get-known.ts';
import type { Graph } from '../graph.ts';

/**
 * The chosen steps in groups that dependencies join, largest first; one group when they are connected. Two are joined when
 * one of them needs the other, directly or by way of others. That both need the same foundation joins nothing.
 */
export function joinedBy(graph: Graph, chosen: ReadonlySet<string>): readonly (readonly string[])[] {
  const after = new Set(chosen);
  for (const id of graph.order) if (graph.needs(id).some((need) => after.has(need))) after.add(id);
  const before = new Set(chosen);
  for (const id of graph.order.toReversed()) {
    if (before.has(id)) for (const need of graph.needs(id)) before.add(need);
  }
  const groups = new Groups();
  for (const id of graph.order.filter((each) => before.has(each))) {
    for (const need of graph.needs(id)) if (after.has(need)) groups.join(need, id);
  }
  const joined = Map.groupBy(chosen, (id) => groups.of(id));
  return [...joined.values()].toSorted((a, b) => b.length - a.length);
}

/** Sets that only grow together, each known by one of its members. */
class Groups {
  readonly #above = new Map<string, string>();

  of(id: string): string {
    let top = id;
    for (let up = this.#above.get(top); up !== undefined; up = this.#above.get(top)) top = up;
    // Whoever asks again has a short way.
    for (let each = id; each !== top; ) {
      const up = getKnown(this.#above, each);
      this.#above.set(each, top);
      each = up;
    }
    return top;
  }

  join(a: string, b: string): void {
    const [one, other] = [this.of(a), this.of(b)];
    if (one !== other) this.#above.set(one, other);
  }
}
