import { getKnown } from '../../lib/get-known.ts';
import { type Graph, type GraphNode, graphOf } from '../graph.ts';
import type { PlanTask } from './plan-task.ts';
import { type Pair, unorderedPairs } from './unordered-pairs.ts';

/** Two tasks that own one file and did not say in which order: now they have one. */
export interface AddedOrder {
  readonly before: string;
  readonly after: string;
  readonly file: string;
}

export interface Serialised {
  readonly nodes: readonly GraphNode[];
  /** Of these nodes; null when the tasks themselves make none. */
  readonly graph: Graph | null;
  readonly added: readonly AddedOrder[];
}

export function nodesOf(tasks: readonly PlanTask[]): readonly GraphNode[] {
  return tasks.map(({ id, dependencies, estimate_hours: estimate }) => ({
    id,
    needs: dependencies.tasks,
    estimate,
  }));
}

/**
 * Tasks that own one file work one after the other. All orders that are added go forward in one order of the whole plan
 * that agrees with what the tasks need, so they never close a circle. A graph that is broken stays as it is. Whoever has
 * the graph of these tasks already may hand it over.
 */
export function serialised(tasks: readonly PlanTask[], given?: Graph): Serialised {
  const nodes = nodesOf(tasks);
  const graph = given ?? graphIn(nodes);
  if (graph === null) return { nodes, graph, added: [] };
  const shared = sharedFiles(tasks);
  const added = shared.size === 0 ? [] : unorderedPairs(graph, neighbours(shared, ranks(tasks, graph)));
  if (added.length === 0) return { nodes, graph, added: [] };
  const more = Map.groupBy(added, ({ to }) => to);
  const all = nodes.map((node) => {
    const before = more.get(node.id)?.map(({ from }) => from);
    return before === undefined ? node : { ...node, needs: [...new Set([...node.needs, ...before])] };
  });
  return {
    nodes: all,
    graph: graphIn(all),
    added: added.map(({ from, to, file }) => ({ before: from, after: to, file })),
  };
}

function graphIn(nodes: readonly GraphNode[]): Graph | null {
  const graph = graphOf(nodes);
  return graph.ok ? graph.value : null;
}

/** Earlier phases first; within a phase as the graph has it. A task is never before one that it needs. */
function ranks(tasks: readonly PlanTask[], graph: Graph): ReadonlyMap<string, number> {
  const phases = new Map(tasks.map(({ id, phase }) => [id, phase]));
  const phaseOf = (id: string): number => getKnown(phases, id);
  for (const id of graph.order) {
    let phase = phaseOf(id);
    for (const need of graph.needs(id)) phase = Math.max(phase, phaseOf(need));
    phases.set(id, phase);
  }
  const sorted = graph.order.toSorted((a, b) => phaseOf(a) - phaseOf(b));
  return new Map(sorted.map((id, rank) => [id, rank]));
}

/** Files with more than one owner, with these. */
function sharedFiles(tasks: readonly PlanTask[]): ReadonlyMap<string, ReadonlySet<string>> {
  const first = new Map<string, string>();
  const shared = new Map<string, Set<string>>();
  for (const { id, files } of tasks) {
    for (const { path } of files) {
      const owner = first.get(path);
      if (owner === undefined) first.set(path, id);
      else if (owner !== id) shared.set(path, (shared.get(path) ?? new Set([owner])).add(id));
    }
  }
  return shared;
}

/** For each file, its owners one after the other. */
function neighbours(
  shared: ReadonlyMap<string, ReadonlySet<string>>,
  rank: ReadonlyMap<string, number>,
): readonly (Pair & { readonly file: string })[] {
  return [...shared].flatMap(([file, ids]) => {
    const sorted = [...ids].toSorted((a, b) => getKnown(rank, a) - getKnown(rank, b));
    return sorted.slice(1).map((to, index) => ({ from: String(sorted[index]), to, file }));
  });
}
