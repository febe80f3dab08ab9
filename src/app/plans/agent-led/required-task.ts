import { isSafeId, isSafeName } from '../../../lib/ids.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { rootStepOf, stepIdOf } from '../../../model/key.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import type { TaskState } from '../../../model/plan/task-state.ts';
import { didYouMean } from '../../../lib/nearest.ts';
import { isOver } from '../../../model/run.ts';
import { isTerminal } from '../../../model/session.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import { findAtWork } from '../../status/at-work.ts';
import { isHeld } from '../../status/living-holder.ts';
import type { Tutti } from '../../tutti.ts';
import { sessionBehind } from './is-working.ts';

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
  wanted: Extract<Wanted, 'complete' | 'fail'>,
): Promise<Result<RunningTask, Refusal>> {
  const running = await runningTask(tutti, plan, id);
  if (!running.ok) return running;
  const { by } = running.value.state;
  const run = await tutti.queries.run(by);
  if (run === null || isOver(run.state)) return running;
  const hint = `try it again: tutti task retry ${id} --force; leave it out: tutti task skip ${id} --force`;
  return err(
    (await refuseAtWork(tutti, id, by, wanted)) ??
      refusal('FAILURE', `task ${id} belongs to run ${by}`, hint),
  );
}

type Wanted = 'complete' | 'fail' | 'retry' | 'skip';

/**
 * Refuses to touch a task while a process works on it: its work would land, or be paid for twice. An agent that outlived the
 * process that advanced its run counts. Null: none does, as far as anything is known of the assignee.
 */
export async function refuseAtWork(
  tutti: Tutti,
  id: string,
  by: string,
  wanted: Wanted,
): Promise<Refusal | null> {
  if (await isHeld(tutti, by)) {
    const hint = `stop it first: tutti stop ${by}; then again: tutti task ${wanted} ${id}`;
    return refusal('FAILURE', `run ${by} is working on task ${id}`, hint);
  }
  const session = await sessionBehind(tutti, by);
  if (session === null) return refuseLeft(tutti, id, by, wanted);
  if (isTerminal(session.status)) return null;
  const hint = `end it first: tutti session kill ${session.id}; then again: tutti task ${wanted} ${id}`;
  return refusal('FAILURE', `session ${session.id} is working on task ${id}`, hint);
}

/** The same for a part of a run that works on while no process advances the run: a resume adopts it. */
async function refuseLeft(tutti: Tutti, id: string, by: string, wanted: Wanted): Promise<Refusal | null> {
  const run = isSafeId(by) ? await tutti.queries.run(by) : null;
  if (run === null) return null;
  const parts = (await tutti.queries.entries(run.id)).filter(({ key }) => rootStepOf(key) === id);
  const atWork = await findAtWork(tutti, run.id, parts);
  const part = parts.find(({ key }) => atWork.has(key));
  if (part === undefined) return null;
  const who = part.sessionId === null ? `a command (${stepIdOf(part.key)})` : `session ${part.sessionId}`;
  const again = `tutti task ${wanted} ${id}`;
  const message = `${who} is working on task ${id}, and no process advances its run ${by}`;
  const hint = `adopt it: tutti resume ${by}; or end it: tutti stop ${by}, then again: ${again}`;
  return refusal('FAILURE', message, hint);
}
