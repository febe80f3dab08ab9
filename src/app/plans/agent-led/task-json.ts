import { type TaskRow, widenedPaths } from '../../../model/plan/task-row.ts';
import type { TaskState } from '../../../model/plan/task-state.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { TaskNode } from '../../../model/ports/plan-queries.ts';

export const taskStatuses = [
  'ready',
  'waiting',
  'blocked',
  'running',
  'parked',
  'done',
  'failed',
  'skipped',
] as const;

/** How a task stands, seen from outside: what is pending is ready, waits, or is blocked. */
export type TaskStatus = (typeof taskStatuses)[number];

/** A line of `tutti task list --json` and `tutti task ready --json`. */
export function taskRowJson({ id, name, needs }: TaskNode, status: TaskStatus): Output<'task-row'> {
  return { task_id: id, name, status, needs };
}

/** A task as `tutti task show` shows it. */
export interface ShownTask {
  readonly plan: string;
  /** What is shown is what counts and was judged, whatever its file says now. */
  readonly row: TaskRow;
  readonly needs: readonly string[];
  /** Why nothing works on a task that was begun; null: something does, or it was not begun. */
  readonly parked: string | null;
  /** Its file has another definition, which no command has loaded. */
  readonly edited: boolean;
}

/** `tutti task show --json`. */
export function taskJson({ row: { task, state }, needs, parked, edited }: ShownTask): Output<'task-show'> {
  return {
    task_id: task.id,
    name: task.name,
    status: parked === null ? state.at : 'parked',
    needs,
    ...stateJson(state),
    widened: widenedPaths({ task, state }),
    edited,
    definition: task,
  };
}

type StateJson = Pick<
  Output<'task-show'>,
  'attempt' | 'by' | 'started_at' | 'ended_at' | 'verification' | 'error'
>;

function stateJson(state: TaskState): StateJson {
  const none = { attempt: null, by: null, started_at: null, ended_at: null, verification: null, error: null };
  switch (state.at) {
    case 'pending':
      return none;
    case 'running':
      return { ...none, attempt: state.attempt, by: state.by, started_at: instant(state.since) };
    case 'done':
      return { ...none, ...timesOf(state), attempt: state.attempt, verification: state.verification };
    case 'failed':
      return { ...none, ...timesOf(state), attempt: state.attempt, error: state.error };
    case 'skipped':
      return { ...none, ended_at: instant(state.endedAt) };
  }
}

function timesOf({ since, endedAt }: { readonly since: number; readonly endedAt: number }) {
  return { started_at: instant(since), ended_at: instant(endedAt) };
}

function instant(at: number): string {
  return new Date(at).toISOString();
}
