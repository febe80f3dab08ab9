import { digest } from '../../../lib/digest.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import type { TaskEnded, TaskEnding } from '../../../model/plan/execute-parts.ts';
import type { TaskEnd } from '../../../model/plan/work-on-task.ts';
import type { Target } from '../../../model/workspace.ts';
import { closeWorkspace } from '../../../workspace/close.ts';
import { tearDownWorkspace } from '../../../workspace/hooks.ts';
import { blobsAt } from '../../../workspace/blobs.ts';
import { readRecord } from '../../../workspace/record.ts';
import { findRescue } from '../../../workspace/rescue.ts';
import { done, failed } from '../../host/completions.ts';
import type { HostParts } from '../../host/host-parts.ts';
import type { OperationCall, OperationContext, OperationEnd } from '../../host/operation-call.ts';
import { logActivity } from '../../plan-files/activity-log.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { endTask } from '../work/end-task.ts';
import { SeveralCommands } from './several-commands.ts';
import { hookOf } from './hook-of.ts';

/** Ends a task of the run, and gives its workspace back. */
export async function taskResult(call: OperationCall<'task-result'>): Promise<OperationEnd<TaskEnded>> {
  const { parts } = call;
  const { plan, target, ending } = call.args;
  const { task: id, attempt, error, files, verification, notes } = ending;
  const end = await endOf(call);
  if (!end.ok) return failed(end.error);
  const ended = await endTask(
    parts,
    { plan, id },
    { kind: 'run', by: call.attempt.runId },
    {
      attempt: { attempt, since: null, isRepeated: true },
      end: end.value,
      account: { files, verification, notes },
    },
  );
  if (!ended.ok) return failed(ended.error);
  if (error === null) await givenBack(call, target, ending);
  const { value } = end;
  return done(
    value.at === 'done'
      ? { produced: value.produced, rescue: null }
      : { produced: null, rescue: value.rescue },
  );
}

/** What failed is put aside before it is said to have failed; what landed may be thrown away after. */
async function endOf(call: OperationCall<'task-result'>): Promise<Result<TaskEnd, string>> {
  const { target, ending } = call.args;
  const { error, files, verification, basis, paths: written } = ending;
  const { clock } = call.parts;
  if (error !== null) {
    const rescue = await givenBack(call, target, ending);
    return ok({ at: 'failed', endedAt: clock.wall(), error, rescue });
  }
  const produced = await producedBy(target, ending);
  if (!produced.ok) return produced;
  const endedAt = clock.wall();
  return ok({ at: 'done', endedAt, files, verification, produced: produced.value, basis, written });
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
    if (!well) await warn(parts, target.owner.name, `${ending.task}: ${error}`);
  }
  if (closed.ok && closed.value !== null) return closed.value;
  // A former life may have closed it already.
  return findRescue(target, workspace);
}

async function warn(parts: HostParts, plan: string, message: string): Promise<void> {
  const paths = planPathsOf(parts.paths, plan);
  await logActivity(parts, paths, { level: 'WARN', agent: 'orchestrator', event: 'workspace', message });
}
