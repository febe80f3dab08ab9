import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '../lib/result.ts';
import { ok } from '../lib/result.ts';
import { ownerPart } from '../model/owner.ts';
import type { Target } from '../model/workspace.ts';
import { type ChangedEntry, changedEntries } from './entries.ts';
import { partsOf } from './git.ts';
import { repositoryGit, repositoryText } from './repository.ts';

/** By path from the checkout's root: what the file was, each time that it was taken from the operator's folder. */
export type HandFiles = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Files that the operator's folder has because a task was done there, as they were put onto the integration branch. A file
 * that is still one of these is in the branch's history, and may be replaced by what became of it there. Only of what was
 * not delivered before: after that a file is the operator's again.
 */
export async function handFiles(target: Target, delivered: string | null): Promise<HandFiles> {
  const files = new Map<string, Set<string>>();
  for (const commit of await takenCommits(target)) {
    if (delivered !== null && (await isIn(target, commit, delivered))) continue;
    const entries = await changedEntries(target, `${commit}^`, commit);
    for (const { path, mode, blob, status } of entries.ok ? entries.value : []) {
      if (status !== 'D') files.set(path, (files.get(path) ?? new Set()).add(`${mode} ${blob}`));
    }
  }
  return files;
}

async function isIn(target: Target, commit: string, newer: string): Promise<boolean> {
  return (await repositoryGit(target, ['merge-base', '--is-ancestor', commit, newer])).exitCode === 0;
}

/** Those that the branch has no longer, as entries to remove. */
export async function goneAt(
  target: Target,
  tip: string,
  files: HandFiles,
): Promise<readonly ChangedEntry[]> {
  if (files.size === 0) return [];
  const { stdout } = await repositoryGit(target, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', tip]);
  const there = new Set(partsOf(stdout));
  const none = '0'.repeat(tip.length);
  return [...files.keys()]
    .filter((path) => !there.has(path))
    .map((path) => ({ status: 'D', mode: '000000', oldMode: '000000', blob: none, oldBlob: none, path }));
}

/** Without those that the branch had already: they are marked with what was its tip. */
async function takenCommits(target: Target): Promise<readonly string[]> {
  const [taken = '', landed = ''] = ['taken', 'landed'].map(
    (kind) => `refs/tutti/${kind}/${ownerPart(target.owner)}/`,
  );
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', taken, landed];
  const { stdout } = await repositoryGit(target, args);
  const lines = new Set(stdout.split('\n'));
  return [...lines].flatMap((line) => {
    const [commit = '', ref = ''] = line.split(' ');
    return ref.startsWith(taken) && lines.has(`${commit} ${landed}${ref.slice(taken.length)}`)
      ? [commit]
      : [];
  });
}

let count = 0;

/** Makes these files of the operator's checkout what they are in a commit; one that is not in it is removed. */
export async function replaceFiles(
  target: Target,
  commit: string,
  entries: readonly ChangedEntry[],
): Promise<Result<null, string>> {
  count += 1;
  const index = join(target.state, 'index', `replace.${process.pid}-${count}`);
  try {
    const options = { workTree: target.root, index };
    const filled = await repositoryText(target, ['read-tree', commit], options);
    if (!filled.ok) return filled;
    const input = entries.flatMap(({ path, status }) => (status === 'D' ? [] : [`${path}\0`])).join('');
    const args = ['checkout-index', '-f', '-z', '--stdin'];
    const written = await repositoryText(target, args, { ...options, input });
    if (!written.ok) return written;
    for (const { path, status } of entries)
      if (status === 'D') rmSync(join(target.root, path), { force: true });
    return ok(null);
  } finally {
    rmSync(index, { force: true });
  }
}
