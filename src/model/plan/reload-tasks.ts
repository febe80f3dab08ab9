import { err, ok, type Result } from '../../lib/result.ts';
import type { PlanRecord } from './plan-record.ts';
import type { PlanTask } from './plan-task.ts';
import { reloaded, retired, type TaskRow } from './task-row.ts';

export interface ReloadedTasks {
  readonly rows: readonly TaskRow[];
  /** New, or other work than before: they begin again. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** What the plan keeps of removed tasks from now on; null: as it is. */
  readonly kept: Readonly<Record<string, TaskRow>> | null;
}

/** What becomes of a plan's tasks when these take their place; refused where a task that is worked on would change or go. */
export function reloadTasks(
  { removed: gone = {} }: Pick<PlanRecord, 'removed'>,
  rowsBefore: readonly TaskRow[],
  tasks: readonly PlanTask[],
): Result<ReloadedTasks, string> {
  const before = new Map(rowsBefore.map((row) => [row.task.id, row]));
  const known = (id: string): TaskRow | undefined =>
    before.get(id) ?? (Object.hasOwn(gone, id) ? gone[id] : undefined);
  const rows = tasks.map((task) => reloaded(known(task.id), task));
  const now = new Set(tasks.map(({ id }) => id));
  const removed = [...before.keys()].filter((id) => !now.has(id));
  const changed = rows
    .filter(({ task, state }) => before.get(task.id)?.state !== state)
    .map(({ task }) => task.id);
  const busy = [...removed, ...changed].find((id) => before.get(id)?.state.at === 'running');
  if (busy !== undefined) return err(`task ${busy} is being worked on and cannot be changed now`);
  const retiredNow = rowsBefore.filter(({ task }) => !now.has(task.id)).map(retired);
  const left = Object.entries(gone).filter(([id]) => !now.has(id));
  const entries = [...left, ...retiredNow.map((row) => [row.task.id, row] as const)];
  const isSame = entries.length + Object.keys(gone).length === 0;
  return ok({ rows, changed, removed, kept: isSame ? null : Object.fromEntries(entries) });
}
