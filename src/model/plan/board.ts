import type { Graph } from '../graph.ts';
import type { TaskState } from './task-state.ts';

/** What may start and what may not, from the graph and the states alone. */
export interface Board {
  /** Most critical first. */
  readonly ready: readonly string[];
  readonly running: readonly string[];
  readonly done: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  /** With the failed or skipped task that is in the way. */
  readonly blocked: ReadonlyMap<string, string>;
  /** Waits for something that may still succeed. */
  readonly waiting: readonly string[];
}

type StateAt = (id: string) => Pick<TaskState, 'at'>;

export function boardOf(graph: Graph, stateOf: StateAt): Board {
  const lists: Record<Exclude<TaskState['at'], 'pending'>, string[]> = {
    running: [],
    done: [],
    failed: [],
    skipped: [],
  };
  const blocked = new Map<string, string>();
  const waiting: string[] = [];
  const ready: string[] = [];
  // In an order where whatever a task needs was looked at before it.
  for (const id of graph.order) {
    const { at } = stateOf(id);
    if (at !== 'pending') {
      lists[at].push(id);
      continue;
    }
    const cause = causeOf(graph.needs(id), stateOf, blocked);
    if (cause !== null) blocked.set(id, cause);
    else if (graph.needs(id).every((need) => stateOf(need).at === 'done')) ready.push(id);
    else waiting.push(id);
  }
  return {
    ...lists,
    blocked,
    waiting,
    ready: ready.toSorted((a, b) => graph.priority(b) - graph.priority(a)),
  };
}

function causeOf(
  needs: readonly string[],
  stateOf: StateAt,
  blocked: ReadonlyMap<string, string>,
): string | null {
  for (const need of needs) {
    const { at } = stateOf(need);
    if (at === 'failed' || at === 'skipped') return need;
    const cause = blocked.get(need);
    if (cause !== undefined) return cause;
  }
  return null;
}
