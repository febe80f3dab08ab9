import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { probe } from '../lib/probe.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Target, Workspace } from '../model/workspace.ts';
import { indexOf, isFolder, isWhole, plantRepository } from './checkout.ts';
import { lockedFor } from './lock.ts';
import { mergeTrees } from './merge.ts';
import { readRecord, type WorkspaceRecord, writeRecord } from './record.ts';
import { branchRef, integrationBranch, integrationRef, nameOf } from './refs.ts';
import { commitTree, messageOf } from './commit.ts';
import { commitAt, moveRefs, repositoryText } from './repository.ts';
import { rescue } from './rescue.ts';
import { fromTarget } from './entries.ts';
import { setTree } from './restore.ts';
import { treeOfWorkspace } from './seal.ts';

export interface UpToDate {
  /** The same workspace with its new base. */
  readonly workspace: Workspace;
  readonly base: string;
  /** Files with conflict markers in them, relative to the target. */
  readonly conflicts: readonly string[];
  /** Where the work as it was is kept; null when there was none. */
  readonly rescue: string | null;
}

/**
 * Puts a workspace's work on the integration branch's tip, as a rebase would, and leaves conflict markers for whoever
 * works there. Interrupted, it is done over from the work as it was.
 */
export async function bringUpToDate(target: Target, workspace: Workspace): Promise<Result<UpToDate, string>> {
  return lockedFor(target, 'landing', async () => {
    const known = readRecord(target, workspace);
    if (known === null) return err(`there is no workspace ${nameOf(workspace)}`);
    const current = await takeUp(target, known);
    if (!current.ok) return current;
    const tip = await commitAt(target, integrationRef(target));
    if (tip === null) return err('there is no integration branch');
    if (tip === current.value.base) return ok(unchanged(target, current.value));
    return updateTo(target, current.value, tip);
  });
}

async function updateTo(
  target: Target,
  workspace: Workspace,
  tip: string,
): Promise<Result<UpToDate, string>> {
  const kept = await rescue(target, workspace);
  if (!kept.ok) return kept;
  const tree = await treeOfWorkspace(target, workspace);
  if (!tree.ok) return tree;
  const message = messageOf('Work under way', {});
  const work = await commitTree(target, { tree: tree.value, parents: [workspace.base], message });
  if (!work.ok) return work;
  const branch = branchRef(target, workspace);
  const moved = await moveRefs(target, [`update ${branch} ${work.value}`]);
  if (!moved.ok) return moved;
  // By their names, which is what the conflict markers will say.
  const merged = await mergeTrees(
    target,
    integrationRef(target).slice('refs/heads/'.length),
    workspace.branch,
  );
  if (!merged.ok) return merged;
  const update = { from: work.value, to: tip, ...merged.value, isDone: false };
  const known = readRecord(target, workspace);
  if (known === null) return err(`there is no workspace ${nameOf(workspace)}`);
  writeRecord(target, { ...known, update });
  probe('update:planned');
  const done = await finishUpdate(target, { ...known, update });
  if (!done.ok) return done;
  const conflicts = update.conflicts.map((path) => fromTarget(target, path));
  return ok({ workspace: done.value, base: tip, conflicts, rescue: kept.value });
}

/**
 * A workspace that is there already, as it should be: an update that was interrupted is finished, and a `.git` that was
 * replaced or pointed elsewhere is made again, since a command there would work on another repository, in the worst case
 * on the operator's own.
 */
export async function takeUp(target: Target, record: WorkspaceRecord): Promise<Result<Workspace, string>> {
  const { root, dir, branch } = record.workspace;
  if (!isFolder(root)) return err(`${root} is no longer the workspace that was made`);
  if (!existsSync(dir)) mkdirSync(dir, { recursive: true });
  // A link on the way would let whoever works there work on something else.
  if (realpathSync(dir) !== dir) return err(`${dir} leads out of its workspace; remove the link`);
  const current = await finishUpdate(target, record);
  if (!current.ok || (await isWhole(root))) return current;
  const index = indexOf(target, `${nameOf(record.workspace)}.shown`);
  const shown = await repositoryText(target, ['read-tree', current.value.base], { workTree: root, index });
  if (!shown.ok) return shown;
  plantRepository(target, { root, commit: current.value.base, branch }, index);
  return (await isWhole(root)) ? current : err(`${root} is not taken for a workspace by git; remove it`);
}

/** Brings the files to what the update says, whether none, some or all of them are there already. */
async function finishUpdate(target: Target, record: WorkspaceRecord): Promise<Result<Workspace, string>> {
  const { workspace, update } = record;
  if (update === null || update.isDone) return ok(workspace);
  const index = indexOf(target, nameOf(workspace));
  const moved = await setTree(target, workspace, update.tree);
  if (!moved.ok) return moved;
  probe('update:files');
  const next: Workspace = { ...workspace, base: update.to };
  // What the agent's own git shows as its base is the new tip; its changes are what differs.
  const shown = await repositoryText(target, ['read-tree', update.to], {
    workTree: workspace.root,
    index: `${index}.shown`,
  });
  if (!shown.ok) return shown;
  plantRepository(
    target,
    { root: workspace.root, commit: update.to, branch: workspace.branch },
    `${index}.shown`,
  );
  writeRecord(target, { ...record, workspace: next, update: { ...update, isDone: true } });
  probe('update:done');
  return ok(next);
}

/** Asked again, before anybody has worked on them, it names the same conflicts. */
function unchanged(target: Target, workspace: Workspace): UpToDate {
  return { workspace, base: workspace.base, conflicts: openConflicts(target, workspace), rescue: null };
}

/** Of those the last update left: the files that still say so. Relative to the target. */
export function openConflicts(target: Target, workspace: Workspace): readonly string[] {
  const update = readRecord(target, workspace)?.update;
  const conflicts = update?.isDone === true ? update.conflicts : [];
  const marker = `<<<<<<< ${integrationBranch(target.owner)}`;
  return conflicts
    .filter((path) => textIn(join(workspace.root, path)).split('\n').includes(marker))
    .map((path) => fromTarget(target, path));
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
