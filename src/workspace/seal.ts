import { rmSync } from 'node:fs';
import { posix } from 'node:path';
import { probe } from '../lib/probe.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { SealEnd } from '../model/plan/execute-parts.ts';
import type { Target, Workspace } from '../model/workspace.ts';
import { indexOf, isFolder } from './checkout.ts';
import { type Author, commitTree, messageOf } from './commit.ts';
import { type ChangedEntry, type Changes, changedEntries, filesOf, fromTarget } from './entries.ts';
import { textOf } from './git.ts';
import { branchRef, nameOf } from './refs.ts';
import { commitAt, moveRefs, repositoryGit, repositoryText, treeAt } from './repository.ts';
import { treeOfFolder } from './tree.ts';

export interface Sealing {
  readonly message: string;
  /** Such as `Tutti-Task`, `Tutti-Run`, `Tutti-Agent`. */
  readonly trailers: Readonly<Record<string, string>>;
  readonly author?: Author;
  /** What may be sealed; absent: whatever there is. */
  readonly judged?: JudgedFiles;
}

/** The work that was judged. */
interface JudgedFiles {
  /** All files of the workspace as they were judged; null: not known. */
  readonly tree: string | null;
  /** The files of the work among them, relative to the target. */
  readonly paths: readonly string[];
}

/**
 * Everything the workspace holds beyond its base, as one commit on that base, whatever was committed, staged or left
 * lying in between. The workspace itself does not change. Sealed again with nothing changed, it is the same commit. Another process
 * may write at any moment, so the very tree that would be sealed is compared with what was judged.
 */
export async function sealWorkspace(
  target: Target,
  workspace: Workspace,
  { message, trailers, author, judged }: Sealing,
): Promise<Result<SealEnd, string>> {
  const found = await workOf(target, workspace);
  if (!found.ok) return found;
  if (found.value === 'empty') return ok({ at: 'empty' });
  const { tree, files } = found.value;
  const unjudged = judged === undefined ? ok([]) : await findUnjudged(target, found.value, judged);
  if (!unjudged.ok) return unjudged;
  if (unjudged.value.length > 0) return ok({ at: 'changed', paths: unjudged.value });
  const branch = branchRef(target, workspace);
  const text = messageOf(message, trailers);
  const before = await commitAt(target, branch);
  if (before !== null && (await isSame(target, before, { tree, base: workspace.base, text }))) {
    return ok({ at: 'sealed', sealed: { commit: before, tree, files } });
  }
  const commit = await commitTree(target, {
    tree,
    parents: [workspace.base],
    message: text,
    ...(author === undefined ? {} : { author }),
  });
  if (!commit.ok) return commit;
  probe('seal:commit');
  const moved = await moveRefs(target, [`update ${branch} ${commit.value}`]);
  probe('seal:branch');
  return moved.ok ? ok({ at: 'sealed', sealed: { commit: commit.value, tree, files } }) : moved;
}

/** Files that are no part of the judged work, or are not as they were judged. */
async function findUnjudged(
  target: Target,
  { tree, files }: WorkFound,
  judged: JudgedFiles,
): Promise<Result<readonly string[], string>> {
  const known = new Set(judged.paths);
  const beyond = [...files.created, ...files.modified, ...files.deleted].filter((path) => !known.has(path));
  if (judged.tree === null) return ok(beyond);
  const since = await changedEntries(target, judged.tree, tree);
  if (!since.ok) return since;
  const changed = since.value.map(({ path }) => fromTarget(target, path)).filter((path) => known.has(path));
  return ok([...beyond, ...changed].toSorted());
}

async function isSame(
  target: Target,
  commit: string,
  { tree, base, text }: { readonly tree: string; readonly base: string; readonly text: string },
): Promise<boolean> {
  const { stdout } = await repositoryGit(target, ['cat-file', 'commit', commit]);
  const end = stdout.indexOf('\n\n');
  return stdout.startsWith(`tree ${tree}\nparent ${base}\nauthor `) && stdout.slice(end + 2) === text;
}

/** Paths relative to the target; one outside it begins with `../`. A rename is one file less and one more. */
export async function changedFiles(
  target: Target,
  workspace: Workspace,
): Promise<Result<Changes & { readonly tree: string }, string>> {
  const found = await workOf(target, workspace);
  if (!found.ok) return found;
  if (found.value !== 'empty') return ok({ ...found.value.files, tree: found.value.tree });
  return ok({ created: [], modified: [], deleted: [], tree: (await treeAt(target, workspace.base)) ?? '' });
}

/** Which of these paths of the target differ between a tree and the workspace. */
export async function changedSince(
  target: Target,
  workspace: Workspace,
  tree: string,
  paths: readonly string[],
): Promise<Result<readonly string[], string>> {
  const now = await treeOfWorkspace(target, workspace);
  if (!now.ok) return now;
  const entries = await changedEntries(target, tree, now.value);
  if (!entries.ok) return entries;
  const known = new Set(paths);
  return ok(entries.value.map(({ path }) => fromTarget(target, path)).filter((path) => known.has(path)));
}

interface WorkFound {
  readonly tree: string;
  readonly files: Changes;
}

async function workOf(target: Target, workspace: Workspace): Promise<Result<WorkFound | 'empty', string>> {
  const tree = await treeOfWorkspace(target, workspace);
  if (!tree.ok) return tree;
  if (tree.value === (await treeAt(target, workspace.base))) return ok('empty');
  const entries = await changedEntries(target, workspace.base, tree.value);
  if (!entries.ok) return entries;
  const bad = await refusedEntries(target, entries.value);
  if (bad !== null) {
    // What is known of the files holds the other repository's name, and would go on to do so.
    rmSync(indexOf(target, nameOf(workspace)), { force: true });
    return err(bad);
  }
  return ok({ tree: tree.value, files: filesOf(target, entries.value) });
}

const maxNames = 100_000;

/** What the workspace holds beyond its base in these paths of the target, as a patch; and the tree of all its files. */
export async function diffOfWorkspace(
  target: Target,
  workspace: Workspace,
  paths: readonly string[],
): Promise<Result<{ readonly patch: string; readonly tree: string }, string>> {
  const tree = await treeOfWorkspace(target, workspace);
  if (!tree.ok) return tree;
  const own = paths.map((path) => `:(literal)${posix.join(target.prefix, path)}`);
  // More names than a command line holds: then the patch is not limited to them.
  const only = own.join('').length > maxNames ? [] : own;
  const how = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'];
  const patch = textOf(
    await repositoryGit(target, ['diff-tree', '-r', '-p', ...how, workspace.base, tree.value, '--', ...only]),
  );
  return patch.ok ? ok({ patch: patch.value, tree: tree.value }) : patch;
}

export async function treeOfWorkspace(target: Target, workspace: Workspace): Promise<Result<string, string>> {
  const { root, base } = workspace;
  if (!isFolder(root)) return err(`${root} is no longer the workspace that was made`);
  return treeOfFolder(target, { workTree: root, index: indexOf(target, nameOf(workspace)), start: base });
}

const gitlink = '160000';
const link = '120000';

/** What a landing must not carry: the name of another repository's commit, and links that lead out. */
export async function refusedEntries(
  target: Target,
  entries: readonly ChangedEntry[],
): Promise<string | null> {
  for (const { mode, oldMode, blob, path } of entries) {
    if (path.includes('\uFFFD')) return `${path} has a name that is not UTF-8; rename it`;
    if (mode === gitlink || oldMode === gitlink) {
      return `${path} is a separate repository, and only its name would be kept; remove ${path}/.git`;
    }
    if (mode !== link) continue;
    const to = await repositoryText(target, ['cat-file', 'blob', blob]);
    if (!to.ok) return to.error;
    if (leadsOut(path, to.value)) return `${path} is a link to ${to.value}, outside the project; remove it`;
  }
  return null;
}

function leadsOut(path: string, to: string): boolean {
  if (posix.isAbsolute(to)) return true;
  const reached = posix.normalize(posix.join(posix.dirname(path), to));
  return reached === '..' || reached.startsWith('../') || reached === '.git' || reached.startsWith('.git/');
}
