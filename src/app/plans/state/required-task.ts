import { isSafeName } from '../../../lib/ids.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import type { TaskState } from '../../../model/plan/task-state.ts';
import { didYouMean } from '../../../model/schemas/nearest.ts';
import { isOver } from '../../../model/run.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { isHeld } from '../../status/living-holder.ts';
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

/** One that was started by hand: what a run of Tutti began, that run ends. */
export function taskInHand(tutti: Tutti, plan: string, id: string): Result<RunningTask, Refusal> {
  const running = runningTask(tutti, plan, id);
  if (!running.ok) return running;
  const { by } = running.value.state;
  const run = tutti.queries.run(by);
  if (run === null || isOver(run.state)) return running;
  const isWorking = isHeld(tutti, by);
  const message = isWorking ? `run ${by} is working on task ${id}` : `task ${id} belongs to run ${by}`;
  const hint = isWorking
    ? `stop it first: tutti stop ${by}`
    : `try it again: tutti task retry ${id} --force; leave it out: tutti task skip ${id} --force`;
  return err(refusal('FAILURE', message, hint));
}
