import { digest } from '../../lib/digest.ts';
import { plain, recorded } from '../../lib/json.ts';
import { type Ctx, StepFailed } from '../../kernel/ctx.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { keyOf, stepIdOf } from '../../model/key.ts';
import { workDigest } from '../../model/plan/task-row.ts';
import { describeAssignee } from '../../model/plan/task-state.ts';
import { closeTask } from './close-task.ts';
import { executorTurns } from './executor-turns.ts';
import { landWork } from './landing.ts';
import { type Begun, openJob, type TaskJob } from './task-job.ts';
import { takeOver } from './take-over.ts';
import { inTask, taskOperation, type TaskInRun } from './task-in-run.ts';
import { outcomeOfTask, type TaskVerdict } from './task-verdict.ts';

/** One task, from its begin until it is done or has failed; what it needs is done. */
export async function workOnTask(ctx: Ctx, place: TaskInRun): Promise<TaskVerdict> {
  const { id, attempt, entry } = place;
  const work = workDigest(entry.task);
  const args = { ...inTask(place), attempt, redo: entry.done !== null, work };
  const begun = await taskOperation(ctx, place, 'task-begin', args);
  switch (begun.at) {
    case 'done': {
      const { produced, attempt: number } = begun;
      await takeOver(ctx, place.input, [{ task: id, attempt: number, produced }]);
      return {
        at: 'done',
        id,
        produced,
        attempt: number,
        summary: 'was done by another agent',
        when: 'before',
      };
    }
    case 'skipped':
      return { at: 'skipped', id, reason: begun.reason };
    case 'taken': {
      const message = `it ${describeAssignee(begun.by)}; it can be tried again when that is over`;
      return { at: 'failed', id, failure: failure('unavailable', message) };
    }
    case 'edited':
      return { at: 'failed', id, failure: failure('unavailable', begun.finding, { outcome: 'FAILURE' }) };
    case 'begun':
      return verdictStep(ctx, place, await attemptTask(ctx, place, begun));
  }
}

async function attemptTask(ctx: Ctx, place: TaskInRun, begun: Begun): Promise<TaskVerdict> {
  let job: TaskJob | null = null;
  let failed: Failure | null;
  let summary = '';
  try {
    const opened = await openJob(ctx, place, begun);
    if ('reason' in opened) return await closeTask(ctx, place, begun, null, opened, summary);
    job = opened;
    const stands = await executorTurns(ctx, job, { id: place.id, words: null, prompt: job.prompt });
    summary = stands.ended.result?.summary ?? stands.ended.text;
    for (const note of stands.ended.result?.notes ?? []) {
      job.notes.push(typeof note === 'string' ? note : JSON.stringify(note));
    }
    failed = stands.failure ?? (await landWork(ctx, job, stands));
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    failed = error.failure;
    // Nothing was paid for yet, so there is nothing to keep.
    if (stepIdOf(error.key) === place.id) return closeTask(ctx, place, begun, job, failed, summary);
  }
  // The work and its workspace wait for a higher ceiling: the same attempt continues with the launch that was refused.
  if (failed?.reason === 'budget') return { at: 'failed', id: place.id, failure: failed };
  return closeTask(ctx, place, begun, job, failed, summary);
}

/** Recorded under the task's own name, so that people see one end for its many parts. */
async function verdictStep(ctx: Ctx, place: TaskInRun, verdict: TaskVerdict): Promise<TaskVerdict> {
  const key = keyOf(`${place.id}/verdict`, { identity: place.identity, verdict: digest(plain(verdict)) });
  const kept = await ctx.step(key, () => plain(verdict), { outcome: () => outcomeOfTask(verdict) });
  return recorded<TaskVerdict>(kept);
}
