import { digest } from '../../lib/digest.ts';
import { plain } from '../../lib/json.ts';
import { type Ctx, StepFailed } from '../../kernel/ctx.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { TaskEnding } from '../../model/plan/execute-parts.ts';
import { taskErrorOf } from '../../model/plan/task-error.ts';
import type { TaskError } from '../../model/plan/task-state.ts';
import { pathsOf } from './judge.ts';
import type { Begun, TaskJob } from './task-job.ts';
import { inTask, taskOperation, type TaskInRun } from './task-in-run.ts';
import type { TaskVerdict } from './task-verdict.ts';

const noFiles = { created: [], modified: [] };

/** Writes down what became of the task, well or not, and gives its workspace back. */
export async function closeTask(
  ctx: Ctx,
  place: TaskInRun,
  begun: Begun,
  job: TaskJob | null,
  failed: Failure | null,
  summary: string,
): Promise<TaskVerdict> {
  const { id } = place;
  const ending = endingOf(place, begun, job, failed, summary);
  try {
    const { produced } = await taskOperation(
      ctx,
      place,
      'task-result',
      { ...inTask(place), target: place.input.target, ending },
      { of: digest(plain(ending)), last: true },
    );
    if (failed !== null) return { at: 'failed', id, failure: failed };
    if (produced === null) throw new Error(`what ${id} produced is not known`);
    return { at: 'done', id, produced, attempt: begun.attempt, summary, when: 'now' };
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    return { at: 'failed', id, failure: failed ?? failure('error', error.failure.message) };
  }
}

function endingOf(
  { entry, basis }: TaskInRun,
  { attempt, since }: Begun,
  job: TaskJob | null,
  failed: Failure | null,
  summary: string,
): TaskEnding {
  const { task } = entry;
  const written = job?.written ?? null;
  const criteria = job?.criteria ?? [];
  const { created, modified } = written?.files ?? noFiles;
  const declared = task.files.map(({ path }) => path);
  return {
    task: task.id,
    name: task.name,
    attempt,
    since,
    files: { created, modified },
    verification: { verdict: failed === null ? 'PASS' : 'FAIL', criteria },
    error: failed === null ? null : errorOf(failed, job?.fault ?? null),
    notes: [summary, ...(job?.notes ?? [])].filter((text) => text !== '').join('\n'),
    basis,
    workspace: job?.workspace ?? null,
    landed: job?.landed ?? null,
    paths: [
      ...new Set([...declared, ...(written === null || failed !== null ? [] : pathsOf(written))]),
    ].toSorted(),
  };
}

/** That nothing moved any more says nothing about what is wrong: the last judgement does. */
function errorOf(failed: Failure, fault: Failure | null): TaskError {
  const { category } = taskErrorOf(failed.reason === 'no-progress' ? (fault ?? failed) : failed);
  return { ...taskErrorOf(failed), category };
}
