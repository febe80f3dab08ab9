import { existsSync, lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { probe } from '../lib/probe.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Target } from '../model/workspace.ts';
import { commitTree } from './commit.ts';
import { partsOf, runGit } from './git.ts';
import { lockedFor } from './lock.ts';
import { publish } from './publish.ts';
import { baseRef, formerRef, integrationBranch, integrationRef } from './refs.ts';
import { commitAt, moveRefs, repositoryGit, repositoryText } from './repository.ts';
import { treeOfFolder } from './tree.ts';

export interface Integration {
  readonly branch: string;
  readonly tip: string;
  /** What the plan began with. */
  readonly base: string;
  /** Files of the folder too large for a snapshot: workspaces do not have them. Said when the branch is made. */
  readonly leftOut: readonly string[];
}

/** Larger than this is data, not source. */
const maxBytes = 50 * 1024 * 1024;

/** Makes the integration branch, once: at the operator's last commit, or at a snapshot of the folder. */
export async function integrationOf(target: Target): Promise<Result<Integration, string>> {
  const present = await presentIntegration(target);
  if (present !== null) return ok(present);
  return lockedFor(target, 'integration', () => makeIntegration(target));
}

async function makeIntegration(target: Target): Promise<Result<Integration, string>> {
  const meanwhile = await presentIntegration(target);
  if (meanwhile !== null) return ok(meanwhile);
  const first = await firstCommit(target);
  if (!first.ok) return first;
  const { commit, leftOut } = first.value;
  await keepFormer(target);
  probe('integration:base');
  const moved = await moveRefs(target, [
    `create ${integrationRef(target)} ${commit}`,
    `create ${baseRef(target)} ${commit}`,
  ]);
  if (!moved.ok) return moved;
  probe('integration:made');
  await publish(target);
  return ok({ branch: integrationBranch(target.owner), tip: commit, base: commit, leftOut });
}

/** What a plan of the same name showed in the operator's repository, before its state was lost or removed. */
async function keepFormer(target: Target): Promise<void> {
  if (target.kind === 'folder') return;
  const { exitCode, stdout } = await runGit(target.root, [
    'rev-parse',
    '--verify',
    '--quiet',
    integrationRef(target),
  ]);
  const commit = stdout.trim();
  if (exitCode === 0)
    await runGit(target.root, ['update-ref', formerRef(target, commit.slice(0, 12)), commit]);
}

async function presentIntegration(target: Target): Promise<Integration | null> {
  const [tip, base] = await Promise.all([
    commitAt(target, integrationRef(target)),
    commitAt(target, baseRef(target)),
  ]);
  return tip === null || base === null
    ? null
    : { branch: integrationBranch(target.owner), tip, base, leftOut: [] };
}

/** What workspaces of the plan begin with, or will; `tree` names its content. Makes no branch. */
export async function findBase(
  target: Target,
): Promise<Result<{ readonly commit: string; readonly tree: string }, string>> {
  const present = await presentIntegration(target);
  const first = present === null ? await firstCommit(target) : ok({ commit: present.base });
  if (!first.ok) return first;
  const { commit } = first.value;
  const tree = await repositoryText(target, ['rev-parse', '--verify', `${commit}^{tree}`]);
  return tree.ok ? ok({ commit, tree: tree.value.trim() }) : tree;
}

async function firstCommit(
  target: Target,
): Promise<Result<{ readonly commit: string; readonly leftOut: readonly string[] }, string>> {
  if (target.kind === 'git') {
    const head = await runGit(target.root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
    if (head.exitCode === 0) return ok({ commit: head.stdout.trim(), leftOut: [] });
  }
  const snapshot =
    target.kind === 'folder' && existsSync(target.dir) ? await folderTree(target) : await emptyTree(target);
  if (!snapshot.ok) return snapshot;
  const commit = await commitTree(target, {
    tree: snapshot.value.tree,
    parents: [],
    message: target.kind === 'git' ? 'Nothing yet\n' : `Snapshot of ${basename(target.dir)}\n`,
  });
  return commit.ok ? ok({ commit: commit.value, leftOut: snapshot.value.leftOut }) : commit;
}

type FolderTree = { readonly tree: string; readonly leftOut: readonly string[] };

async function emptyTree(target: Target): Promise<Result<FolderTree, string>> {
  const tree = await repositoryText(target, ['mktree'], { input: '' });
  return tree.ok ? ok({ tree: tree.value, leftOut: [] }) : tree;
}

/** The folder's files, without what its `.gitignore` names and what is too large. */
async function folderTree(target: Target): Promise<Result<FolderTree, string>> {
  const leftOut = await largeFiles(target, target.dir);
  const tree = await treeOfFolder(target, {
    workTree: target.dir,
    index: join(target.state, 'index', 'folder'),
    start: null,
    paths: ['.', ...leftOut.map((path) => `:(exclude,literal)${path}`)],
  });
  if (!tree.ok) return tree;
  const inner = await nestedRepositories(target, tree.value);
  if (inner.length === 0) return ok({ tree: tree.value, leftOut });
  return err(
    `${inner.join(', ')}: a separate repository inside the target; use it as the target, or move it out`,
  );
}

export async function largeFiles(target: Target, folder: string): Promise<readonly string[]> {
  const listing = ['ls-files', '-z', '--others', '--exclude-standard', '--', '.'];
  const empty = join(target.state, 'index', 'none');
  const { stdout } = await repositoryGit(target, listing, { workTree: folder, index: empty });
  return partsOf(stdout).filter((path) => {
    const facts = lstatSync(join(folder, path), { throwIfNoEntry: false });
    return facts !== undefined && facts.isFile() && facts.size > maxBytes;
  });
}

/** Folders that a tree holds only a commit's name of. */
async function nestedRepositories(target: Target, tree: string): Promise<readonly string[]> {
  const { stdout } = await repositoryGit(target, ['ls-tree', '-r', '-z', tree]);
  return partsOf(stdout).flatMap((line) =>
    line.startsWith('160000 ') ? [line.slice(line.indexOf('\t') + 1)] : [],
  );
}
