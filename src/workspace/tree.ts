import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import { err, type Result } from '../lib/result.ts';
import type { Target } from '../model/workspace.ts';
import { type PlanGitOptions, repositoryText } from './repository.ts';

interface FolderOnDisk {
  readonly workTree: string;
  /** Where what was learned about its files is kept for the next time. */
  readonly index: string;
  /** What to compare with when there is no such index yet; null for nothing. */
  readonly start: string | null;
  /** Pathspecs: what is looked at. Everything when left out. */
  readonly paths?: readonly string[];
  /** These too, although they are ignored. */
  readonly forced?: readonly string[];
}

let count = 0;

/**
 * The tree of a folder as it is now, untracked files included, ignored ones not. Through a temporary index: neither the
 * folder's own index nor its files change, and two of these at a time do not meet.
 */
export async function treeOfFolder(target: Target, folder: FolderOnDisk): Promise<Result<string, string>> {
  mkdirSync(dirname(folder.index), { recursive: true, mode: 0o700 });
  const tree = await lookAt(target, folder);
  if (tree.ok || !existsSync(folder.index)) return tree;
  // What was known may be damaged, and is only known to save time.
  rmSync(folder.index, { force: true });
  return lookAt(target, folder);
}

async function lookAt(target: Target, folder: FolderOnDisk): Promise<Result<string, string>> {
  const { workTree, index, forced = [] } = folder;
  count += 1;
  const temporary = `${index}.${process.pid}-${count}`;
  const options = { workTree, index: temporary };
  try {
    if (existsSync(index)) copyIndex(index, temporary);
    else {
      const filled = await repositoryText(target, ['read-tree', folder.start ?? '--empty'], options);
      if (!filled.ok) return filled;
    }
    const added = await addPaths(target, ['-A'], folder.paths ?? ['.'], options);
    if (!added.ok) return err(`${workTree} cannot be read whole; ${added.error}`);
    const literal = forced.map((path) => `:(literal)${path}`);
    const more = literal.length === 0 ? added : await addPaths(target, ['-f'], literal, options);
    if (!more.ok) return err(`${workTree} cannot be read whole; ${more.error}`);
    const tree = await repositoryText(target, ['write-tree'], options);
    if (tree.ok) renameSync(temporary, index);
    return tree;
  } finally {
    rmSync(temporary, { force: true });
    rmSync(`${temporary}.lock`, { force: true });
  }
}

/** Names go in by standard input: there may be more than fit on a command line. */
function addPaths(
  target: Target,
  flags: readonly string[],
  paths: readonly string[],
  options: PlanGitOptions,
): Promise<Result<string, string>> {
  const input = paths.map((path) => `${path}\0`).join('');
  return repositoryText(target, ['add', ...flags, '--pathspec-from-file=-', '--pathspec-file-nul'], {
    ...options,
    input,
  });
}

/** With its time, a little early: git tells by it which files may have changed in the moment they were looked at. */
export function copyIndex(from: string, to: string): void {
  copyFileSync(from, to);
  const { atime, mtimeMs } = statSync(from);
  utimesSync(to, atime, (mtimeMs - 1) / 1000);
}
