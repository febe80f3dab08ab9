import { isSafeName } from '../../../lib/ids.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import type { TaskState } from '../../../model/plan/task-state.ts';
import { didYouMean } from '../../../model/schemas/nearest.ts';
import { isOver } from '../../../model/run.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { isHeld } from '../../status/living-holder.ts';
import type { Tutti } from '../../tutti.ts';

export async function requiredTask(
  { queries }: Pick<Tutti, 'queries'>,
  plan: string,
  id: string,
): Promise<Result<TaskRow, Refusal>> {
  const row = isSafeName(id) ? await queries.plans.task(plan, id) : null;
  if (row !== null) return ok(row);
  return err(await unknownTask(plan, id, queries));
}

export async function unknownTask(plan: string, id: string, { plans }: Tutti['queries']): Promise<Refusal> {
  const known = (await plans.nodes(plan)).map((node) => node.id);
  const message = `plan ${plan} has no task '${id.slice(0, 80)}'${didYouMean(id, known)}`;
  return refusal('USAGE', message, `see which there are: tutti task list --plan ${plan}`);
}

/** The next command after a change of a task that was refused. */
export function lookAtTask(id: string): string {
  return `look at it: tutti task show ${id}`;
}

export type RunningTask = TaskRow & { readonly state: Extract<TaskState, { at: 'running' }> };

/** One that somebody has started and not ended. */
export async function runningTask(
  tutti: Tutti,
  plan: string,
  id: string,
): Promise<Result<RunningTask, Refusal>> {
  const row = await requiredTask(tutti, plan, id);
  if (!row.ok) return row;
  const { state } = row.value;
  if (state.at === 'running') return ok({ ...row.value, state });
  const why = state.at === 'done' ? 'is done already' : 'was not started';
  return err(refusal('FAILURE', `task ${id} ${why}`, lookAtTask(id)));
}

/** One that was started by hand: what a run of Tutti began, that run ends. `wanted`: the command that asks. */
export async function taskInHand(
  tutti: Tutti,
  plan: string,
  id: string,
  wanted: 'complete' | 'fail',
): Promise<Result<RunningTask, Refusal>> {
  const running = await runningTask(tutti, plan, id);
  if (!running.ok) return running;
  const { by } = running.value.state;
  const run = await tutti.queries.run(by);
  if (run === null || isOver(run.state)) return running;
  const hint = `try it again: tutti task retry ${id} --force; leave it out: tutti task skip ${id} --force`;
  return err(
    (await heldByRun(tutti, id, by, wanted)) ?? refusal('FAILURE', `task ${id} belongs to run ${by}`, hint),
  );
}

/** Refuses to touch a task while a process works on it: its work would land, or be paid for twice. Null: none does. */
export async function heldByRun(
  tutti: Tutti,
  id: string,
  by: string,
  wanted: 'complete' | 'fail' | 'retry' | 'skip',
): Promise<Refusal | null> {
  if (!(await isHeld(tutti, by))) return null;
  const hint = `stop it first: tutti stop ${by}; then again: tutti task ${wanted} ${id}`;
  return refusal('FAILURE', `run ${by} is working on task ${id}`, hint);
}
