import { makePrivateFolder, replaceFile } from '../../../lib/atomic-file.ts';
import type { TaskDiff } from '../../../model/plan/execute-parts.ts';
import { diffOfWorkspace } from '../../../workspace/seal.ts';
import { done } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';

/** Bytes in the prompt. */
const maxInline = 20_000;

/**
 * The change of a task, for its verifier: its beginning for the prompt, the whole in a file of the plan. Null where there is
 * no diff to make, as in a workspace that is gone: the verifier then gets the names of the files.
 */
export async function taskDiff({
  parts,
  args: { plan, task, target, workspace, paths },
}: OperationCall<'task-diff'>): Promise<OperationEnd<TaskDiff | null>> {
  const found = await diffOfWorkspace(target, workspace, paths);
  if (!found.ok) return done(null);
  const files = planPathsOf(parts.paths, plan);
  const path = files.diff(task);
  const { patch, tree } = found.value;
  const whole = parts.redactor.text(patch);
  makePrivateFolder(files.bundles);
  replaceFile(path, whole);
  return done({ ...beginningOf(whole), path, tree });
}

/** Whole lines, as many as fit. */
function beginningOf(whole: string): Pick<TaskDiff, 'text' | 'isWhole'> {
  const bytes = Buffer.from(whole);
  if (bytes.length <= maxInline) return { text: whole, isWhole: true };
  const text = bytes.subarray(0, maxInline).toString();
  return { text: text.slice(0, text.lastIndexOf('\n') + 1), isWhole: false };
}
