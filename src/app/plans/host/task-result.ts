import { replaceFile } from '../../../lib/atomic-file.ts';
import { digest } from '../../../lib/digest.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import type { TaskResult } from '../../../model/plan/bundle.ts';
import { withMark } from '../../../model/plan/checkpoint-mark.ts';
import type { TaskEnded, TaskEnding } from '../../../model/plan/execute-parts.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import { completeTask, failTask, type TaskChange, type TaskState } from '../../../model/plan/task-state.ts';
import type { Target } from '../../../model/plan/workspace.ts';
import { closeWorkspace } from '../../../workspace/close.ts';
import { tearDownWorkspace } from '../../../workspace/hooks.ts';
import { blobsAt } from '../../../workspace/blobs.ts';
import { readRecord } from '../../../workspace/record.ts';
import { rescues } from '../../../workspace/rescue.ts';
import { done, failed } from '../../host/completions.ts';
import type { HostParts } from '../../host/host-parts.ts';
import type { OperationCall, OperationContext, OperationEnd } from '../../host/operation-call.ts';
import { logActivity } from '../activity-log.ts';
import { planPathsOf } from '../paths.ts';
import { writePlanViews } from '../plan-views.ts';
import { SeveralCommands } from './several-commands.ts';
import { hookOf } from './hook-of.ts';

/** Writes down what became of a task: in the record, in its result file, in the log; and gives its workspace back. */
export async function taskResult(call: OperationCall<'task-result'>): Promise<OperationEnd<TaskEnded>> {
  const { parts } = call;
  const { plan, target, ending } = call.args;
  const produced = ending.error === null ? await producedBy(target, ending) : ok(null);
  if (!produced.ok) return failed(produced.error);
  // What failed is put aside before it is said to have failed; what landed may be thrown away after.
  const rescue = ending.error === null ? null : await givenBack(call, target, ending);
  const endedAt = parts.clock.wall();
  const changed = await parts.store.changeTask(plan, ending.task, ({ state }) =>
    ended(state, ending, endedAt, produced.value, rescue),
  );
  if (!changed.ok) return failed(changed.error);
  writeTaskResult(parts, plan, changed.value, ending, rescue);
  if (ending.error === null) await givenBack(call, target, ending);
  await tell(parts, plan, ending);
  return done({ produced: produced.value, rescue });
}

function ended(
  state: TaskState,
  { attempt, files, verification, error, basis, paths }: TaskEnding,
  endedAt: number,
  produced: string | null,
  rescue: string | null,
): TaskChange {
  // Asked again after a crash, it is what it was.
  if ((state.at === 'done' || state.at === 'failed') && state.attempt === attempt) return ok(state);
  if (state.at === 'running' && state.attempt !== attempt) return err('was started again by another process');
  if (error !== null) return failTask(state, { endedAt, error, rescue });
  if (produced === null) return err('produced nothing that is known');
  return completeTask(state, { endedAt, files, verification, produced, basis, written: paths });
}

/** Of the contents that its files have where it landed. */
async function producedBy(
  target: Target,
  { landed, workspace, paths }: TaskEnding,
): Promise<Result<string, string>> {
  const commit = landed?.commit ?? workspace?.base;
  if (commit === undefined) return err('there is no commit that holds its work');
  const blobs = await blobsAt(target, commit, paths);
  return blobs.ok ? ok(digest(paths.map((path) => [path, blobs.value.get(path) ?? null]))) : blobs;
}

/** The name under which work that did not land is kept; null: there was none. */
async function givenBack(
  context: OperationContext,
  target: Target,
  ending: TaskEnding,
): Promise<string | null> {
  // One that was made and could not be prepared is known only by its record.
  const workspace = ending.workspace ?? readRecord(target, ending)?.workspace ?? null;
  if (workspace === null) return null;
  const { parts } = context;
  const commands = await SeveralCommands.of(context);
  const down = await tearDownWorkspace(workspace, parts.config.workspace.teardown, hookOf(context, commands));
  const closed = await closeWorkspace(target, workspace);
  for (const { ok: well, error } of [down, closed].map((one) => (one.ok ? { ok: true, error: '' } : one))) {
    if (!well) await warn(parts, target.plan, `${ending.task}: ${error}`);
  }
  if (closed.ok && closed.value !== null) return closed.value;
  // A former life may have closed it already.
  const name = `${workspace.task}-${workspace.attempt}`;
  return (await rescues(target)).find((one) => one.name === name)?.ref ?? null;
}

async function warn(parts: HostParts, plan: string, message: string): Promise<void> {
  const paths = planPathsOf(parts.paths, plan);
  await logActivity(parts, paths, { level: 'WARN', agent: 'orchestrator', event: 'workspace', message });
}

function writeTaskResult(
  { paths, redactor }: HostParts,
  plan: string,
  { task, state }: TaskRow,
  ending: TaskEnding,
  rescue: string | null,
): void {
  if (state.at !== 'done' && state.at !== 'failed') return;
  const aside = rescue === null ? '' : `The work was put aside: ${rescue}`;
  const result: TaskResult = {
    version: '1.0',
    task_id: task.id,
    name: task.name,
    status: state.at === 'done' ? 'success' : 'failed',
    started_at: new Date(state.since).toISOString(),
    completed_at: new Date(state.endedAt).toISOString(),
    files: ending.files,
    verification: ending.verification,
    error: ending.error,
    notes: [ending.notes, aside].filter((text) => text !== '').join('\n'),
  };
  const text = `${JSON.stringify(result, null, 2)}\n`;
  replaceFile(planPathsOf(paths, plan).result(task.id), redactor.text(text));
}

async function tell(parts: HostParts, plan: string, { task, error }: TaskEnding): Promise<void> {
  const { store, clock } = parts;
  const mark = error === null ? 'success' : 'failed';
  await store.changePlan(plan, (record) => ok(withMark(record, task, mark, clock.wall())));
  await logActivity(parts, planPathsOf(parts.paths, plan), {
    level: error === null ? 'INFO' : 'ERROR',
    agent: 'orchestrator',
    event: 'task-result',
    message: error === null ? `${task}: success` : `${task}: failed: ${error.message}`,
  });
  await writePlanViews(parts, plan);
}
