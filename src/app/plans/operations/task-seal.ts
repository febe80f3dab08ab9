import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../../../lib/result.ts';
import type { SealEnd, WrittenFiles } from '../../../model/plan/execute-parts.ts';
import type { Target, Workspace } from '../../../model/workspace.ts';
import { changedFiles, changedSince, sealWorkspace } from '../../../workspace/seal.ts';
import { done, failed } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { contentsOf } from '../work/file-contents.ts';

/**
 * The work that was judged, as one commit, and nothing else: what acceptance commands left lying is removed, and work that
 * was changed after the judgement is not sealed.
 */
export async function taskSeal({
  args: { task, name, agent, target, workspace, written },
  attempt,
}: OperationCall<'task-seal'>): Promise<OperationEnd<SealEnd>> {
  const judged = [...written.files.created, ...written.files.modified, ...written.files.deleted];
  const now = await changedFiles(target, workspace);
  if (!now.ok) return failed(now.error);
  const known = new Set(judged);
  for (const path of now.value.created) {
    if (!known.has(path)) rmSync(join(workspace.dir, path), { force: true });
  }
  const changed = [...now.value.modified, ...now.value.deleted].filter((path) => !known.has(path));
  if (contentsOf(workspace.dir, judged) !== written.digest) {
    const since = await judgedAndChanged(target, workspace, written, judged);
    if (!since.ok) return failed(since.error);
    changed.push(...since.value);
  }
  if (changed.length > 0) return done({ at: 'changed', paths: changed });
  const sealed = await sealWorkspace(target, workspace, {
    judged: { tree: written.tree ?? null, paths: judged },
    message: `${task}: ${name}`,
    trailers: { 'Tutti-Task': task, 'Tutti-Run': attempt.runId, 'Tutti-Agent': agent },
  });
  return sealed.ok ? done(sealed.value) : failed(sealed.error);
}

/** Names the judged files that are no longer what was judged; all of them where it is not known which. */
async function judgedAndChanged(
  target: Target,
  workspace: Workspace,
  { tree }: WrittenFiles,
  judged: readonly string[],
): Promise<Result<readonly string[], string>> {
  if (tree === undefined) return ok(judged);
  const since = await changedSince(target, workspace, tree, judged);
  return since.ok && since.value.length === 0 ? ok(judged) : since;
}
