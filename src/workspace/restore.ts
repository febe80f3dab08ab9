import { rmSync } from 'node:fs';
import { ok, type Result } from '../lib/result.ts';
import type { Target, Workspace } from '../model/workspace.ts';
import { indexOf } from './checkout.ts';
import { changedEntries, filesOf, fromTarget } from './entries.ts';
import { nameOf, rescueRef } from './refs.ts';
import { commitAt, repositoryText } from './repository.ts';
import { rescue } from './rescue.ts';
import { treeOfWorkspace } from './seal.ts';

export interface KeptChange {
  /** Null: what the workspace held then was nothing but its base. */
  readonly ref: string | null;
  /** Relative to the target. */
  readonly paths: readonly string[];
}

/**
 * Keeps what a workspace holds under a rescue ref of that name if it is not the tree, and sets its files to the tree. Null:
 * nothing had changed. Done again after a crash, it returns the same.
 */
export async function keepAndSetTree(
  target: Target,
  workspace: Workspace,
  tree: string,
  name: string,
): Promise<Result<KeptChange | null, string>> {
  const now = await treeOfWorkspace(target, workspace);
  if (!now.ok) return now;
  if (now.value !== tree) {
    const kept = await rescue(target, workspace, name);
    if (!kept.ok) return kept;
  }
  const set = await setTree(target, workspace, tree);
  if (!set.ok) return set;
  const ref = rescueRef(target, name);
  if ((await commitAt(target, ref)) === null)
    return ok(set.value.paths.length === 0 ? null : { ref: null, paths: set.value.paths });
  const entries = await changedEntries(target, tree, ref);
  return entries.ok ? ok({ ref, paths: entries.value.map(({ path }) => fromTarget(target, path)) }) : entries;
}

/** What was not as the tree has it. Paths are relative to the target. */
export interface SetFiles {
  readonly paths: readonly string[];
  /** Those that the tree has: they were changed or removed. The others were added. */
  readonly changed: readonly string[];
}

/** Sets the files of a workspace to a tree. Ignored files are no part of it and stay. */
export async function setTree(
  target: Target,
  workspace: Workspace,
  tree: string,
): Promise<Result<SetFiles, string>> {
  const now = await treeOfWorkspace(target, workspace);
  if (!now.ok) return now;
  if (now.value === tree) return ok({ paths: [], changed: [] });
  const entries = await changedEntries(target, tree, now.value);
  if (!entries.ok) return entries;
  const index = indexOf(target, nameOf(workspace));
  // Of a git that was killed: no other process uses the index of a workspace at the same time.
  rmSync(`${index}.lock`, { force: true });
  const set = await repositoryText(target, ['read-tree', '--reset', '-u', tree], {
    workTree: workspace.root,
    index,
  });
  if (!set.ok) return set;
  const { created, modified, deleted } = filesOf(target, entries.value);
  const changed = [...modified, ...deleted];
  return ok({ paths: [...created, ...changed].toSorted(), changed });
}
