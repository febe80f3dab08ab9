import { getKnown } from '../lib/get-known.ts';
import { err, ok, type Result } from '../lib/result.ts';

/** A graph of steps, seen without clock, store or process: it only says what may run and in which order. */
export interface GraphNode {
  readonly id: string;
  readonly needs: readonly string[];
  /** Expected duration; any unit, as long as all nodes use the same. */
  readonly estimate?: number | null;
}

export type GraphProblem =
  | { readonly kind: 'duplicate'; readonly id: string }
  | { readonly kind: 'unknown'; readonly id: string; readonly need: string }
  /** First and last are the same step. */
  | { readonly kind: 'cycle'; readonly path: readonly string[] };

export interface Graph {
  /** Every step after everything it needs. */
  readonly order: readonly string[];
  /** Length of the longest chain that starts here: what is critical goes first. */
  priority(id: string): number;
  needs(id: string): readonly string[];
  dependents(id: string): readonly string[];
  /** What may start, most critical first; ties keep the author's order. */
  ready(done: ReadonlySet<string>, started: ReadonlySet<string>): readonly string[];
}

export function graphOf(nodes: readonly GraphNode[]): Result<Graph, readonly GraphProblem[]> {
  const problems = [...duplicates(nodes), ...unknownNeeds(nodes)];
  if (problems.length > 0) return err(problems);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const dependents = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { id, needs } of nodes) for (const need of unique(needs)) dependents.get(need)?.push(id);
  const order = topologicalOrder(nodes, dependents);
  if (order.length < nodes.length) return err([{ kind: 'cycle', path: cycleIn(byId, new Set(order)) }]);
  const priorities = criticalPaths(order, byId, dependents);
  return ok({
    order,
    priority: (id) => priorities.get(id) ?? 0,
    needs: (id) => byId.get(id)?.needs ?? [],
    dependents: (id) => dependents.get(id) ?? [],
    ready: (done, started) =>
      nodes
        .filter(({ id, needs }) => !started.has(id) && !done.has(id) && needs.every((need) => done.has(need)))
        .map(({ id }) => id)
        .toSorted((a, b) => getKnown(priorities, b) - getKnown(priorities, a)),
  });
}

export function sentenceOf(problem: GraphProblem): string {
  switch (problem.kind) {
    case 'duplicate':
      return `two steps have the id '${problem.id}'`;
    case 'unknown':
      return `step '${problem.id}' needs '${problem.need}', which does not exist`;
    case 'cycle':
      return `these steps wait for each other: ${problem.path.join(' → ')}`;
  }
}

function duplicates(nodes: readonly GraphNode[]): GraphProblem[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { id } of nodes) {
    if (seen.has(id)) twice.add(id);
    seen.add(id);
  }
  return [...twice].map((id) => ({ kind: 'duplicate', id }));
}

function unknownNeeds(nodes: readonly GraphNode[]): GraphProblem[] {
  const known = new Set(nodes.map(({ id }) => id));
  return nodes.flatMap(({ id, needs }) =>
    needs.filter((need) => !known.has(need)).map((need): GraphProblem => ({ kind: 'unknown', id, need })),
  );
}

/** Naming a need twice is naming it once. */
function unique(needs: readonly string[]): readonly string[] {
  return needs.length > 1 ? [...new Set(needs)] : needs;
}

function topologicalOrder(nodes: readonly GraphNode[], dependents: Map<string, string[]>): string[] {
  const missing = new Map(nodes.map(({ id, needs }) => [id, unique(needs).length]));
  const order = nodes.filter(({ needs }) => needs.length === 0).map(({ id }) => id);
  // The list grows while it is walked: that is the queue.
  for (const id of order) {
    for (const dependent of getKnown(dependents, id)) {
      const left = getKnown(missing, dependent) - 1;
      missing.set(dependent, left);
      if (left === 0) order.push(dependent);
    }
  }
  return order;
}

/** Every step outside `order` needs another one outside it, so following needs must come back to itself. */
function cycleIn(byId: Map<string, GraphNode>, ordered: ReadonlySet<string>): string[] {
  const isStuck = (id: string): boolean => !ordered.has(id);
  const path = new Set<string>();
  let id = String([...byId.keys()].find(isStuck));
  while (!path.has(id)) {
    path.add(id);
    id = String(getKnown(byId, id).needs.find(isStuck));
  }
  const loop = [...path].slice([...path].indexOf(id));
  // Needs were followed backwards; people read in the order things would run.
  return [...loop, id].toReversed();
}

function criticalPaths(
  order: readonly string[],
  byId: Map<string, GraphNode>,
  dependents: Map<string, string[]>,
): Map<string, number> {
  const length = new Map<string, number>();
  for (const id of order.toReversed()) {
    let longest = 0;
    for (const dependent of getKnown(dependents, id))
      longest = Math.max(longest, getKnown(length, dependent));
    length.set(id, (getKnown(byId, id).estimate ?? 1) + longest);
  }
  return length;
}
