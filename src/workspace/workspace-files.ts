import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isMachineTrouble } from '../lib/machine-trouble.ts';
import { runGit } from './git.ts';

/** More than this is not looked at: whoever wants it has a build folder outside git. */
const maxFiles = 20_000;

/** Never looked into: Tutti's own, git's own, and what a package manager can fetch again. */
const skipped: readonly string[] = ['.tutti', '.git', 'node_modules'];

/** Which files a workspace holds, and how each is told from what it becomes. */
export type WorkspaceFiles =
  | { readonly whole: true; readonly files: Readonly<Record<string, string>> }
  | { readonly whole: false; readonly why: string };

/**
 * Where there is git, the files it tracks and those it does not ignore; else all of them. Only their facts are read, not
 * their content: the system itself changes the time in them with every write, and nobody can set it back.
 */
export async function listWorkspace(folder: string): Promise<WorkspaceFiles> {
  const names = (await gitNames(folder)) ?? walkedNames(folder);
  if (names.length > maxFiles) {
    return { whole: false, why: `the workspace has more than ${maxFiles} files` };
  }
  const files: Record<string, string> = Object.create(null);
  for (const name of names) {
    const mark = markOfFile(join(folder, name));
    if (mark !== null) files[name] = mark;
  }
  return { whole: true, files };
}

/** Null for what is not there, and for folders. */
export function markOfFile(path: string): string | null {
  const facts = factsOf(path);
  if (facts === null || facts.isDirectory()) return null;
  const { ino, size, mode, mtimeNs, ctimeNs } = facts;
  return [ino, size, mode, mtimeNs, ctimeNs].join(' ');
}

function factsOf(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return null;
  }
}

async function gitNames(folder: string): Promise<readonly string[] | null> {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '.'];
  const { exitCode, stdout } = await runGit(folder, listing);
  if (exitCode !== 0) return null;
  const names = stdout.split('\0').filter((name) => name !== '' && !isSkipped(name));
  return [...new Set(names)];
}

function walkedNames(folder: string): readonly string[] {
  const names: string[] = [];
  const folders = [''];
  for (let at = folders.pop(); at !== undefined && names.length <= maxFiles; at = folders.pop()) {
    for (const entry of entriesOf(join(folder, at))) {
      const name = at === '' ? entry.name : `${at}/${entry.name}`;
      if (skipped.includes(entry.name)) continue;
      if (entry.isDirectory()) folders.push(name);
      else names.push(name);
    }
  }
  return names;
}

function entriesOf(folder: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(folder);
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return [];
  }
}

function readEntries(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}

function isSkipped(name: string): boolean {
  return name.split('/').some((part) => skipped.includes(part));
}
