import { posix } from 'node:path';
import { ok, type Result } from '../lib/result.ts';
import type { Target, Workspace } from '../model/workspace.ts';
import { fromTarget } from './entries.ts';
import { partsOf, textOf } from './git.ts';
import { repositoryGit } from './repository.ts';
import { isPlain } from './snapshot.ts';

/** Which of these files of the target lie in the workspace and not in its tree: git ignores them, so no commit has them. */
export async function ignoredFiles(
  target: Target,
  workspace: Workspace,
  tree: string,
  paths: readonly string[],
): Promise<Result<readonly string[], string>> {
  const there = paths.filter((path) => isPlain(workspace.dir, path));
  if (there.length === 0) return ok([]);
  const names = there.map((path) => posix.join(target.prefix, path));
  const listed = textOf(
    await repositoryGit(target, ['ls-tree', '-z', '--name-only', '--full-tree', tree, '--', ...names]),
  );
  if (!listed.ok) return listed;
  const known = new Set(partsOf(listed.value).map((path) => fromTarget(target, path)));
  return ok(there.filter((path) => !known.has(path)));
}
