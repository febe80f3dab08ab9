import { isSafeName } from '../../../lib/ids.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import type { TaskState } from '../../../model/plan/task-state.ts';
import { didYouMean } from '../../../model/schemas/nearest.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';

export function requiredTask(
  { queries }: Pick<Tutti, 'queries'>,
  plan: string,
  id: string,
): Result<TaskRow, Refusal> {
  const row = isSafeName(id) ? queries.plans.task(plan, id) : null;
  if (row !== null) return ok(row);
  return err(unknownTask(plan, id, queries));
}

export function unknownTask(plan: string, id: string, { plans }: Tutti['queries']): Refusal {
  const known = plans.nodes(plan).map((node) => node.id);
  const message = `plan ${plan} has no task '${id.slice(0, 80)}'${didYouMean(id, known)}`;
  return refusal('USAGE', message, `see which there are: tutti task list --plan ${plan}`);
}

export type RunningTask = TaskRow & { readonly state: Extract<TaskState, { at: 'running' }> };

/** One that somebody has started and not ended. */
export function runningTask(tutti: Tutti, plan: string, id: string): Result<RunningTask, Refusal> {
  const row = requiredTask(tutti, plan, id);
  if (!row.ok) return row;
  const { state } = row.value;
  if (state.at === 'running') return ok({ ...row.value, state });
  const why = state.at === 'done' ? 'is done already' : 'was not started';
  return err(refusal('FAILURE', `task ${id} ${why}`, `look at it: tutti task show ${id}`));
}
