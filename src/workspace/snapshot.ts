import { existsSync, rmSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { isSafeName } from '../lib/ids.ts';
import { isWithin, realPathBelow } from '../lib/path-below.ts';
import { probe } from '../lib/probe.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Target } from '../model/workspace.ts';
import { commitTree, messageOf } from './commit.ts';
import { largeFiles } from './integration.ts';
import { partsOf, runGit } from './git.ts';
import { keepTree } from './rescue.ts';
import { rescueRef, snapshotRef } from './refs.ts';
import { commitAt, moveRefs, repositoryGit, repositoryText } from './repository.ts';
import { treeOfFolder } from './tree.ts';
import { isFolder } from './checkout.ts';
import { factsOf } from './trust-root.ts';

/**
 * Of an agent that works in the operator's own checkout: what the target is like now, as a commit in the plan's
 * repository. The operator's index, stash and branches are not touched. `files` (relative to the target) are in it even
 * if they are ignored.
 */
export async function snapshot(
  target: Target,
  name: string,
  files: readonly string[] = [],
): Promise<Result<string, string>> {
  if (!isSafeName(name)) return err(`'${name}' is not a name for a snapshot`);
  const tree = await treeOfTarget(target, files);
  if (!tree.ok) return tree;
  const commit = await commitTree(target, {
    tree: tree.value,
    parents: [],
    message: messageOf(`Before ${name}`, {}),
  });
  if (!commit.ok) return commit;
  const moved = await moveRefs(target, [`update ${snapshotRef(target, name)} ${commit.value}`]);
  return moved.ok ? ok(commit.value) : moved;
}

/** Paths from the target's own folder: the rest of a larger checkout is no business of the plan's. */
async function treeOfTarget(target: Target, files: readonly string[]): Promise<Result<string, string>> {
  if (!existsSync(target.dir)) return repositoryText(target, ['mktree'], { input: '' });
  const leftOut = [...(await largeFiles(target, target.dir)), ...stateBelow(target)];
  const tracked = await trackedThoughIgnored(target);
  const forced = [...new Set([...files, ...tracked])].filter(
    (path) => isPlain(target.dir, path) && !leftOut.includes(path),
  );
  const look = async (left: readonly string[]): Promise<Result<string, string>> => {
    const tree = await treeOfFolder(target, {
      workTree: target.dir,
      index: join(target.state, 'index', 'target'),
      start: null,
      paths: ['.', ...left.map((path) => `:(exclude,literal)${path}`)],
      forced,
    });
    const unborn = tree.ok ? null : findUnborn(tree.error);
    return unborn === null || left.includes(unborn) ? tree : look([...left, unborn]);
  };
  return look(leftOut);
}

/** A repository below the folder that has no commit yet: git can record neither it nor what is in it. */
function findUnborn(said: string): string | null {
  return /git says: '(.+)\/' does not have a commit checked out/.exec(said)?.[1] ?? null;
}

/** Tutti's own state, where a person keeps it inside the target: it changes with every look at the files. */
function stateBelow({ dir, state }: Target): readonly string[] {
  const own = dirname(dirname(state));
  return own !== dir && isWithin(dir, own) ? [relative(dir, own)] : [];
}

/** What the operator's repository holds although its rules ignore it: to a fresh index that would not be there. */
async function trackedThoughIgnored(target: Target): Promise<readonly string[]> {
  if (target.kind === 'folder') return [];
  const listing = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard', '--', '.'];
  return partsOf((await runGit(target.dir, listing)).stdout);
}

export interface Restored {
  /** Put back as they were. */
  readonly restored: readonly string[];
  /** Were not there before. */
  readonly removed: readonly string[];
  /** Where they are kept as they were; null when nothing had changed. */
  readonly rescue: string | null;
}

/**
 * Makes exactly these files of the operator's checkout (relative to the target) what they were in the snapshot. What
 * they are now goes to a rescue ref first.
 */
export async function restore(
  target: Target,
  commit: string,
  files: readonly string[],
): Promise<Result<Restored, string>> {
  const outside = files.find((path) => !isOwn(target.dir, path));
  if (outside !== undefined) return err(`${outside} is not a file of ${target.dir}`);
  const name = await nameOfSnapshot(target, commit);
  if (name === null) return err(`there is no snapshot ${commit}`);
  const before = await entriesAt(target, commit, files);
  if (!before.ok) return before;
  const now = await treeOfTarget(target, files);
  if (!now.ok) return now;
  const after = await entriesAt(target, now.value, files);
  if (!after.ok) return after;
  const changed = files.filter((path) => before.value.get(path) !== after.value.get(path));
  if (changed.length === 0) return ok({ restored: [], removed: [], rescue: null });
  const ref = rescueRef(target, name);
  const underWay = await isUnderWay(target, { ref, commit, files, before: before.value, after: after.value });
  const kept = underWay ? ok(ref) : await keepTree(target, { ref, tree: now.value, parent: commit });
  if (!kept.ok) return kept;
  probe('restore:kept');
  const restored = changed.filter((path) => before.value.has(path));
  // A repository that was made there is a folder: it has a history of its own, and stays.
  const removed = changed.filter((path) => !before.value.has(path) && !isFolder(join(target.dir, path)));
  for (const path of removed) rmSync(join(target.dir, path), { force: true });
  probe('restore:removed');
  const back = await putBack(target, commit, restored);
  return back.ok ? ok({ restored, removed, rescue: kept.value }) : back;
}

interface RestoreState {
  readonly ref: string;
  readonly commit: string;
  readonly files: readonly string[];
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

/** Was this restoring interrupted? Then each file is what was kept, or what it was: half of it is no work to keep. */
async function isUnderWay(
  target: Target,
  { ref, commit, files, before, after }: RestoreState,
): Promise<boolean> {
  if ((await commitAt(target, `${ref}^`)) !== commit) return false;
  const kept = await entriesAt(target, ref, files);
  if (!kept.ok) return false;
  return files.every((path) => [kept.value.get(path), before.get(path)].includes(after.get(path)));
}

async function nameOfSnapshot(target: Target, commit: string): Promise<string | null> {
  const start = snapshotRef(target, '');
  const { stdout } = await repositoryGit(target, [
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    start,
  ]);
  const found = stdout.split('\n').find((line) => line.startsWith(`${commit} `));
  return found?.slice(commit.length + 1 + start.length) ?? null;
}

let restores = 0;

async function putBack(
  target: Target,
  commit: string,
  files: readonly string[],
): Promise<Result<null, string>> {
  if (files.length === 0) return ok(null);
  restores += 1;
  const index = join(target.state, 'index', `restore.${process.pid}-${restores}`);
  const options = { workTree: target.dir, index };
  const filled = await repositoryText(target, ['read-tree', commit], options);
  if (!filled.ok) return filled;
  // A name a second: git refuses to write through a link that took a folder's place.
  const input = files.map((path) => `${path}\0`).join('');
  const written = await repositoryText(target, ['checkout-index', '-f', '-z', '--stdin'], {
    ...options,
    input,
  });
  rmSync(index, { force: true });
  return written.ok ? ok(null) : written;
}

/** Mode and content of these files in a snapshot, as git names them. */
export async function entriesAt(
  target: Target,
  commit: string,
  files: readonly string[],
): Promise<Result<ReadonlyMap<string, string>, string>> {
  const wanted = new Set(files);
  const { exitCode, stdout, stderr } = await repositoryGit(target, [
    'ls-tree',
    '-r',
    '-z',
    '--full-tree',
    commit,
  ]);
  if (exitCode !== 0) return err(stderr.trim());
  const entries = new Map<string, string>();
  for (const line of stdout.split('\0')) {
    const at = line.indexOf('\t');
    const path = line.slice(at + 1);
    const [mode = '', , blob = ''] = line.slice(0, at).split(' ');
    if (at > 0 && wanted.has(path)) entries.set(path, `${mode} ${blob}`);
  }
  return ok(entries);
}

/** A path of the target, written as git writes it. */
function isOwn(dir: string, path: string): boolean {
  return (
    path !== '' && posix.normalize(path) === path && !posix.isAbsolute(path) && isWithin(dir, join(dir, path))
  );
}

/** A file or link below a folder, with no link on the way to it. */
export function isPlain(dir: string, path: string): boolean {
  const facts = factsOf(join(dir, path));
  return facts !== null && !facts.isDirectory() && realPathBelow(dir, posix.dirname(path)).ok;
}
