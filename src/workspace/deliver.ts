import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { probe } from '../lib/probe.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { ownerPart } from '../model/owner.ts';
import type { Delivery, Target } from '../model/workspace.ts';
import { commitTree, messageOf } from './commit.ts';
import { deliverFolder } from './deliver-folder.ts';
import { runGit, textOf } from './git.ts';
import { goneAt, type HandFiles, handFiles, replaceFiles } from './hand-files.ts';
import { lockedFor, type LockOptions } from './lock.ts';
import { mergeTrees } from './merge.ts';
import { addedByHand, fetchFrom, publish } from './publish.ts';
import { integrationBranch, integrationRef } from './refs.ts';
import { commitAt, moveRefs, repositoryGit, treeAt } from './repository.ts';
import { type ChangedEntry, changedEntries } from './entries.ts';
import { currentBranch } from './target.ts';
import { factsOf } from './trust-root.ts';
import { findUnrecorded } from './unrecorded.ts';

/** `tutti land`: brings what the plan made into the operator's own checkout. The only thing that writes there. */
export async function deliver(
  target: Target,
  { into, waits }: { readonly into?: string; readonly waits?: LockOptions['waits'] } = {},
): Promise<Result<Delivery, string>> {
  const work = async (): Promise<Result<Delivery, string>> => {
    const git = await repositoryGit(target, ['--version']);
    if (git.exitCode !== 0) return err(`git cannot be started; install it, then: tutti doctor`);
    const tip = await commitAt(target, integrationRef(target));
    if (tip === null) return ok({ at: 'unknown' });
    const unrecorded = await findUnrecorded(target, tip);
    if (unrecorded !== null) return ok({ at: 'unrecorded', ...unrecorded });
    if (target.kind === 'folder') return deliverFolder(target, tip);
    if (!existsSync(target.root)) return err(`${target.root} is gone`);
    const added = await addedByHand(target);
    if (added !== null) return ok({ at: 'unrecorded', how: 'shown', commit: added });
    return deliverToBranch(target, tip, into);
  };
  return lockedFor(target, 'delivery', work, { waits });
}

/** Branches that can be checked out, the current one among them although it may have no commit yet. */
export async function localBranches({ root }: Pick<Target, 'root'>): Promise<readonly string[]> {
  const current = await currentBranch(root);
  const all = await runGit(root, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads']);
  return [current ?? '', ...all.stdout.split('\n')].map((line) => line.trim()).filter((name) => name !== '');
}

async function deliverToBranch(
  target: Target,
  tip: string,
  into: string | undefined,
): Promise<Result<Delivery, string>> {
  const { root, owner } = target;
  const current = await currentBranch(root);
  if (current === null) return refused(`${root} is on no branch; choose one: git switch BRANCH`);
  if (into === integrationBranch(owner))
    return refused(`${into} has the finished work already; land it into a branch of yours`);
  if (into !== undefined && into !== current)
    return refused(`${root} is on ${current}; go there first: git switch ${into}`);
  if (current === integrationBranch(owner))
    return refused(`${root} is on ${current} itself; git switch to yours first`);
  if (await isMerging(root))
    return refused(
      `a merge is in progress in ${root}; finish it with git add and git commit, or undo it with git merge --abort`,
    );
  const head = await runGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const at = head.exitCode === 0 ? head.stdout.trim() : null;
  const next = at === null ? ok(tip) : await nextCommit(target, at, tip);
  if (!next.ok) return next;
  if (typeof next.value !== 'string') return ok(next.value);
  if (next.value === at) return ok({ at: 'nothing' });
  return moveCheckout(target, current, at, next.value);
}

async function isMerging(root: string): Promise<boolean> {
  const merging = await runGit(root, ['rev-parse', '--verify', '--quiet', 'MERGE_HEAD']);
  return merging.exitCode === 0;
}

/** The commit the operator's branch moves to: the tip itself, or a merge of both. */
async function nextCommit(
  target: Target,
  head: string,
  tip: string,
): Promise<Result<string | Delivery, string>> {
  const contains = async (older: string, newer: string) =>
    (await repositoryGit(target, ['merge-base', '--is-ancestor', older, newer])).exitCode === 0;
  if (await contains(tip, head)) return ok(head);
  if (await contains(head, tip)) return ok(tip);
  const merged = await mergeTrees(target, head, tip);
  if (!merged.ok) return merged;
  const { conflicts } = merged.value;
  const tree = conflicts.length === 0 ? merged.value.tree : await mergedStepwise(target, head, tip);
  if (tree === null) {
    const branch = integrationBranch(target.owner);
    return refused(
      `it conflicts with what was committed since; merge it yourself: git merge ${branch}`,
      conflicts,
    );
  }
  const message = messageOf(`Merge branch '${integrationBranch(target.owner)}'`, {});
  return commitTree(target, { tree, parents: [head, tip], message });
}

/**
 * One landed task after the other. Where the operator committed what was done by hand, both sides have the same change with
 * no commit in common; merged on its own it is none, and what came after it finds its own beginning. Null: a conflict.
 */
async function mergedStepwise(target: Target, head: string, tip: string): Promise<string | null> {
  const args = ['rev-list', '--reverse', '--first-parent', tip, `^${head}`];
  const commits = (await repositoryGit(target, args)).stdout.split('\n').filter((line) => line !== '');
  let current = head;
  for (const commit of commits) {
    const merged = await mergeTrees(target, current, commit);
    if (!merged.ok || merged.value.conflicts.length > 0) return null;
    const parents = [current, commit];
    const step = await commitTree(target, { tree: merged.value.tree, parents, message: 'on the way\n' });
    if (!step.ok) return null;
    current = step.value;
  }
  return treeAt(target, current);
}

/** By a fast-forward, which git does only where nothing uncommitted is in the way. */
async function moveCheckout(
  target: Target,
  branch: string,
  from: string | null,
  to: string,
): Promise<Result<Delivery, string>> {
  const { root, gitDir } = target;
  // By a ref of its own while it is on the way: a fetch takes names, and a merge commit has none.
  const way = `refs/tutti/delivering/${ownerPart(target.owner)}`;
  const named = await moveRefs(target, [`update ${way} ${to}`]);
  if (!named.ok) return named;
  const fetched = textOf(await fetchFrom(root, gitDir, [way]));
  if (!fetched.ok) return fetched;
  probe('deliver:fetched');
  const empty = await repositoryGit(target, ['mktree']);
  const entries = await changedEntries(target, from ?? empty.stdout.trim(), to);
  if (!entries.ok) return entries;
  const hand = await handFiles(target, from);
  const blocked = await fastForward(target, to, entries.value, hand);
  await runGit(root, ['update-ref', '-d', way]);
  await moveRefs(target, [`delete ${way}`]);
  await publish(target);
  if (blocked !== null) return ok(blocked);
  await removeGone(target, to, entries.value, hand);
  probe('deliver:merged');
  return ok({ at: 'delivered', commit: to, files: entries.value.length, branch });
}

/** Null when it went through. */
async function fastForward(
  target: Target,
  to: string,
  entries: readonly ChangedEntry[],
  hand: HandFiles,
): Promise<Delivery | null> {
  const { root } = target;
  // What git ignores may be the only copy that there is.
  const args = ['merge', '--ff-only', '--no-overwrite-ignore', '--no-stat', '--quiet', '--no-autostash', to];
  const first = await runGit(root, args);
  if (first.exitCode === 0) return null;
  const refusal = inTheWay(first.stderr);
  const now = await blobsOfFiles(
    root,
    entries.map(({ path }) => path),
  );
  // A delivery that was cut off has written files that the operator's index does not know yet.
  const arrived = entries.filter(({ mode, path, blob }) => mode.startsWith('100') && now.get(path) === blob);
  const asTaken = entries.filter(
    (entry) =>
      !arrived.includes(entry) && refusal.files.includes(entry.path) && isTaken(hand, entry.path, now),
  );
  const known = new Set([...arrived, ...asTaken].map(({ path }) => path));
  const foreign = refusal.files.filter((path) => !known.has(path));
  if (known.size === 0 || foreign.length > 0) return { ...refusal, files: foreign };
  const replaced = await replaceFiles(target, to, asTaken);
  if (!replaced.ok) return { at: 'refused', reason: replaced.error, files: [] };
  const staged = [...arrived, ...asTaken.filter(({ status }) => status !== 'D')];
  const lines = staged.map(({ mode, blob, path }) => `${mode} ${blob}\t${path}\0`).join('');
  await runGit(root, ['update-index', '--add', '-z', '--index-info'], { input: lines });
  await runGit(root, ['update-index', '-q', '--refresh']);
  const second = await runGit(root, args);
  return second.exitCode === 0 ? null : inTheWay(second.stderr);
}

/** What a task by hand made and a later one removed was never in a commit of the operator's. */
async function removeGone(
  target: Target,
  to: string,
  entries: readonly ChangedEntry[],
  hand: HandFiles,
): Promise<void> {
  const known = new Set(entries.map(({ path }) => path));
  const gone = (await goneAt(target, to, hand)).filter(({ path }) => !known.has(path));
  const now = await blobsOfFiles(
    target.root,
    gone.map(({ path }) => path),
  );
  for (const { path } of gone) if (isTaken(hand, path, now)) rmSync(join(target.root, path), { force: true });
}

/** Is the file still what was taken from there? */
function isTaken(hand: HandFiles, path: string, now: ReadonlyMap<string, string>): boolean {
  const blob = now.get(path);
  return blob !== undefined && [...(hand.get(path) ?? [])].some((content) => content.endsWith(` ${blob}`));
}

/** Names of the contents that plain files of the checkout have, as the operator's git would take them. */
async function blobsOfFiles(root: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const files = paths.filter((path) => isPlainFile(join(root, path)));
  if (files.length === 0) return new Map();
  const input = files.map((path) => `${path}\n`).join('');
  const hashes = textOf(await runGit(root, ['hash-object', '--stdin-paths'], { input }));
  if (!hashes.ok) return new Map();
  const now = hashes.value.split('\n');
  return new Map(files.map((path, at) => [path, now[at] ?? '']));
}

function isPlainFile(path: string): boolean {
  return !path.includes('\n') && factsOf(path)?.isFile() === true;
}

type Refusal = Extract<Delivery, { at: 'refused' }>;

/** Git names the files on lines of their own, indented. */
function inTheWay(stderr: string): Refusal {
  const files = stderr.split('\n').flatMap((line) => (line.startsWith('\t') ? [line.trim()] : []));
  const overwritten = 'it would overwrite changes that are not committed; commit or move them first';
  if (files.length > 0) return { at: 'refused', reason: overwritten, files };
  const [said = 'git refused'] = stderr.trim().split('\n');
  const [, lock] = /Unable to create '(.+\.lock)': File exists/.exec(said) ?? [];
  if (lock !== undefined) {
    const reason = `${lock} exists: another git works in this repository, or one that was killed left the file; wait for it, or delete the file if no git runs`;
    return { at: 'refused', reason, files: [] };
  }
  return { at: 'refused', reason: said.replace(/^(fatal|error): /, ''), files: [] };
}

function refused(reason: string, files: readonly string[] = []): { ok: true; value: Delivery } {
  return ok({ at: 'refused', reason, files });
}
