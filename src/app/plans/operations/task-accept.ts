import { existsSync } from 'node:fs';
import type { Acceptance } from '../../../model/plan/execute-parts.ts';
import { attemptRunner } from '../../host/command.ts';
import { done, failed, withoutEnd } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { timeLeftMs } from '../../host/attempt-folder.ts';
import { acceptCriterion } from '../work/accept-criterion.ts';
import { watchContents } from '../work/file-contents.ts';

/** One acceptance criterion, run by Tutti in the task's workspace. The workflow knows what is left out. */
export async function taskAccept(call: OperationCall<'task-accept'>): Promise<OperationEnd<Acceptance>> {
  const { parts, attempt, args, workspace: dir } = call;
  // Its commands would seem to be missing programs. Of a task that is done it was removed on purpose.
  const row = await parts.queries.plans.task(args.plan, args.task);
  const isDone = row?.state.at === 'done';
  if (!isDone && !existsSync(dir)) return failed(`its workspace ${dir} does not exist any more`);
  const files = row?.task.files.map(({ path }) => path) ?? [];
  const findChanged = watchContents(dir, files);
  const value = await acceptCriterion(parts, args.criterion, {
    dir,
    env: args.env,
    timeoutMs: timeLeftMs(attempt, Date.now()) ?? parts.config.workspace.timeoutMs,
    run: attemptRunner(call),
    without: [],
  });
  if (typeof value === 'string') return withoutEnd(value);
  const changed = findChanged();
  const accepted = changed.length === 0 ? value : { ...value, changed };
  return done(accepted, value.problem === null ? 'SUCCESS' : 'FAILURE');
}
