import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isMachineTrouble } from '../lib/machine-trouble.ts';
import { isWithin } from '../lib/path-below.ts';
import { readText } from '../lib/read-text.ts';

/** Where a folder belongs. Paths are real: no part of them is a link. */
export interface TrustRoot {
  /** The top of the working tree that the folder is in. */
  readonly checkout: string;
  /** Its main checkout, or the bare repository that it is a worktree of; outside git, the folder itself. */
  readonly root: string;
  readonly isGit: boolean;
}

/**
 * From files only: git itself would obey the repository's configuration. A worktree belongs to a repository that says so
 * too: anybody can unpack a folder whose `.git` names another person's repository.
 */
export function trustRootOf(folder: string): TrustRoot {
  const start = realOf(folder) ?? resolve(folder);
  for (let at = start; ; at = dirname(at)) {
    const git = join(at, '.git');
    const facts = factsOf(git);
    // An empty folder of that name makes no repository, for git neither.
    const isGit = facts !== null && (facts.isFile() || factsOf(join(git, 'HEAD')) !== null);
    if (isGit) return { checkout: at, root: rootOf(at, facts), isGit };
    if (at === dirname(at)) return { checkout: start, root: start, isGit };
  }
}

function rootOf(checkout: string, facts: Stats): string {
  if (!facts.isFile()) return checkout;
  const own = join(checkout, '.git');
  const git = pathIn(own, checkout, /^gitdir: (.+)$/);
  const common = git === null ? null : pathIn(join(git, 'commondir'), git, /^(.+)$/);
  if (git === null || common === null) return checkout;
  const back = pathIn(join(git, 'gitdir'), git, /^(.+)$/);
  if (back !== own || !isWithin(join(common, 'worktrees'), git)) return checkout;
  return basename(common) === '.git' ? dirname(common) : common;
}

/** The index of a checkout, which lists what git tracks there. */
export function indexFile(checkout: string): string {
  const own = join(checkout, '.git');
  const git = factsOf(own)?.isFile() === true ? pathIn(own, checkout, /^gitdir: (.+)$/) : own;
  return join(git ?? own, 'index');
}

/** A path that a file of git holds, as it really is. */
function pathIn(file: string, from: string, form: RegExp): string | null {
  const text = readText(file, { maxBytes: 16 * 1024, links: 'refuse' });
  const [, path] = (text.ok ? form.exec(text.value.trimEnd()) : null) ?? [];
  return path === undefined ? null : realOf(resolve(from, path));
}

/** Of the path itself, also where it is a link; null where there is nothing to see. */
export function factsOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return null;
  }
}

/** Links followed; null where it leads nowhere. */
export function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Where a path of a checkout leads, if that is outside it. Null: it stays inside, or leads nowhere. */
export function linkOutside(checkout: string, path: string): string | null {
  const real = realOf(path);
  return real === null || isWithin(checkout, real) ? null : real;
}

/** The path with its folder as that really is; the last part keeps its name, also where it is a link. */
export function inRealFolder(path: string): string {
  const folder = dirname(resolve(path));
  return join(realOf(folder) ?? folder, basename(path));
}

/** The folder and all above it, as far as the top. */
export function foldersUpTo(folder: string, top: string): readonly string[] {
  const start = realOf(folder) ?? resolve(folder);
  if (start === top || !isWithin(top, start)) return [start];
  return [start, ...foldersUpTo(dirname(start), top)];
}
