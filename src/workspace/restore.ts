import { rmSync } from 'node:fs';
import { ok, type Result } from '../lib/result.ts';
import type { Target, Workspace } from '../model/workspace.ts';
import { indexOf } from './checkout.ts';
import { changedEntries, fromTarget } from './entries.ts';
import { nameOf } from './refs.ts';
import { repositoryText } from './repository.ts';
import { treeOfWorkspace } from './seal.ts';

/**
 * Sets the files of a workspace to a tree. Ignored files are no part of it and stay. Returns the paths that differed, relative
 * to the target.
 */
export async function setTree(
  target: Target,
  workspace: Workspace,
  tree: string,
): Promise<Result<readonly string[], string>> {
  const now = await treeOfWorkspace(target, workspace);
  if (!now.ok) return now;
  if (now.value === tree) return ok([]);
  const entries = await changedEntries(target, tree, now.value);
  if (!entries.ok) return entries;
  const index = indexOf(target, nameOf(workspace));
  // Of a git that was killed: no other process uses the index of a workspace at the same time.
  rmSync(`${index}.lock`, { force: true });
  const set = await repositoryText(target, ['read-tree', '--reset', '-u', tree], {
    workTree: workspace.root,
    index,
  });
  return set.ok ? ok(entries.value.map(({ path }) => fromTarget(target, path))) : set;
}
