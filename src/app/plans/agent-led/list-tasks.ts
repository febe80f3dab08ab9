import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import type { TaskNode } from '../../../model/ports/plan-queries.ts';
import type { TaskPlaces } from './parked-tasks.ts';
import { planStatus } from './plan-status.ts';
import type { TaskStatus } from './task-json.ts';

export interface ListedTask {
  readonly node: TaskNode;
  readonly status: TaskStatus;
  /** Why it is blocked or parked; null: it is neither. */
  readonly reason: string | null;
}

/** The tasks of a plan in the order of their ids, as `tutti task list` shows them. */
export async function listTasks(places: TaskPlaces, plan: PlanRecord): Promise<readonly ListedTask[]> {
  const { board, blocked, parked } = await planStatus(places, plan);
  const ready = new Set(board.ready);
  const parkedIds = new Set(parked.map(({ id }) => id));
  const why = new Map([...blocked, ...parked].map(({ id, reason }) => [id, reason]));
  return (await places.queries.plans.nodes(plan.name)).map((node) => {
    const { id, at } = node;
    const pending = ready.has(id) ? 'ready' : why.has(id) ? 'blocked' : 'waiting';
    const status = at === 'pending' ? pending : parkedIds.has(id) ? 'parked' : at;
    return { node, status, reason: why.get(id) ?? null };
  });
}
