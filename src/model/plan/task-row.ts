import { digest } from '../../lib/digest.ts';
import { plain } from '../../lib/json.ts';
import type { PlanTask } from './plan-task.ts';
import { openAgain, type TaskState } from './task-state.ts';

/** A task as the store keeps it: what it is, and what became of it. */
export interface TaskRow {
  readonly task: PlanTask;
  readonly state: TaskState;
}

/**
 * What makes a task's work this work. When it is due and how long it may take are not part of it: a plan that was only
 * sequenced anew keeps what is finished.
 */
export function workDigest(task: PlanTask): string {
  const { phase: _phase, estimate_hours: _estimate, ...work } = task;
  return digest(plain(work));
}

/** The same work keeps its state; other work under the same id begins anew. */
export function reloaded(before: TaskRow | undefined, task: PlanTask): TaskRow {
  if (before === undefined) return { task, state: { at: 'pending' } };
  const same = workDigest(before.task) === workDigest(task);
  return { task, state: same ? before.state : openAgain(before.state) };
}

export function planRunId(plan: string): string {
  return `${plan}-plan`;
}

export function executeRunId(plan: string): string {
  return `${plan}-execute`;
}
