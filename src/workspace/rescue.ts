import { rmSync } from 'node:fs';
import { probe } from '../lib/probe.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Target, Workspace } from '../model/workspace.ts';
import { indexOf } from './checkout.ts';
import { commitTree, messageOf } from './commit.ts';
import { changedEntries } from './entries.ts';
import { partsOf } from './git.ts';
import { publish } from './publish.ts';
import { nameOf, rescueRef } from './refs.ts';
import { commitAt, moveRefs, repositoryGit, treeAt } from './repository.ts';
import { treeOfWorkspace } from './seal.ts';

/**
 * Puts everything a workspace holds, untracked files too, into a rescue ref. Null when it holds nothing of its own. What
 * was rescued before stays: it is a parent of what is rescued now.
 */
export async function rescue(
  target: Target,
  workspace: Workspace,
  name = nameOf(workspace),
): Promise<Result<string | null, string>> {
  const tree = await treeOfWorkspace(target, workspace);
  if (!tree.ok) return tree;
  if (tree.value === (await treeAt(target, workspace.base))) return ok(null);
  const inner = await newRepositories(target, workspace.base, tree.value);
  if (!inner.ok) return inner;
  if (inner.value !== null) {
    rmSync(indexOf(target, nameOf(workspace)), { force: true });
    return err(`${inner.value} is a separate repository, and its content would not be kept; remove its .git`);
  }
  const kept = await keepTree(target, {
    ref: rescueRef(target, name),
    tree: tree.value,
    parent: workspace.base,
  });
  if (!kept.ok) return kept;
  await publish(target);
  return kept;
}

/** Where the work of an attempt was put aside earlier, as by a command that was killed before it could say so. */
export async function findRescue(
  target: Target,
  attempt: Pick<Workspace, 'task' | 'attempt'>,
): Promise<string | null> {
  const name = nameOf(attempt);
  return (await rescues(target)).find((one) => one.name === name)?.ref ?? null;
}

/** A folder that a tree would only hold a commit's name of. */
async function newRepositories(
  target: Target,
  from: string,
  to: string,
): Promise<Result<string | null, string>> {
  const entries = await changedEntries(target, from, to);
  if (!entries.ok) return entries;
  return ok(entries.value.find(({ mode }) => mode === '160000')?.path ?? null);
}

interface KeptTree {
  readonly ref: string;
  readonly tree: string;
  readonly parent: string;
}

export async function keepTree(
  target: Target,
  { ref, tree, parent }: KeptTree,
): Promise<Result<string, string>> {
  const before = await commitAt(target, ref);
  if (before !== null && (await treeAt(target, before)) === tree) return ok(ref);
  const commit = await commitTree(target, {
    tree,
    parents: before === null ? [parent] : [parent, before],
    message: messageOf('Work that was put aside', {}),
  });
  if (!commit.ok) return commit;
  probe('rescue:commit');
  const moved = await moveRefs(target, [`update ${ref} ${commit.value}`]);
  probe('rescue:ref');
  return moved.ok ? ok(ref) : moved;
}

export interface Rescue {
  readonly ref: string;
  /** `T001-2`: the task and its attempt. `T001-2-before-…`: what another process changed before a verifier began. */
  readonly name: string;
  readonly commit: string;
  /** Seconds since 1970. */
  readonly at: number;
}

/** What was put aside in this plan, newest first. `git show <ref>` in the operator's repository shows it. */
export async function rescues(target: Target): Promise<readonly Rescue[]> {
  const start = rescueRef(target, '');
  const format = '--format=%(refname)%00%(objectname)%00%(committerdate:unix)';
  const { stdout } = await repositoryGit(target, ['for-each-ref', '--sort=-committerdate', format, start]);
  return stdout.split('\n').flatMap((line) => {
    const [ref, commit, at] = partsOf(line);
    if (ref === undefined || commit === undefined || at === undefined) return [];
    return [{ ref, name: ref.slice(start.length), commit, at: Number(at) }];
  });
}
