import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { errorCode } from '../../lib/error-code.ts';

/** Moves a folder to where nothing is yet; `source-left` where it had to be copied, and the source is still there. */
export function moveFolder(
  source: string,
  target: string,
  rename: (from: string, to: string) => void = renameSync,
): 'moved' | 'source-left' {
  makePrivateFolder(dirname(target));
  try {
    rename(source, target);
    return 'moved';
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    copyChecked(source, target);
    return 'source-left';
  }
}

/** Complete in its place or not there at all, and compared byte by byte before it counts. */
function copyChecked(source: string, target: string): void {
  const unfinished = unfinishedOf(target);
  rmSync(unfinished, { recursive: true, force: true });
  try {
    copyFolder(source, unfinished);
    if (!isCopyOf(source, unfinished)) throw new Error('the copy is not what was copied');
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** A name that no session can have. */
export function unfinishedOf(target: string): string {
  return join(dirname(target), `.${basename(target)}.tmp`);
}

/** Links stay links. A pipe or a socket holds nothing once its session has ended, and is left behind. */
function copyFolder(source: string, target: string): void {
  mkdirSync(target, { mode: 0o700 });
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const to = join(target, entry.name);
    if (entry.isDirectory()) copyFolder(from, to);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else if (entry.isFile()) copyDurably(from, to);
  }
}

/** What it was copied from will be removed: it must not be only in memory. */
function copyDurably(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL);
  const descriptor = openSync(to, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Is everything that the source holds in the target, the same? Then the source may go. */
export function isCopyOf(source: string, target: string): boolean {
  const copied = contentsOf(target);
  return [...contentsOf(source)].every(([path, content]) => copied.get(path) === content);
}

function contentsOf(folder: string, below = ''): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) {
      found.set(path, 'folder');
      for (const [inner, content] of contentsOf(folder, path)) found.set(inner, content);
    } else if (entry.isSymbolicLink()) found.set(path, `link ${readlinkSync(join(folder, path))}`);
    else if (entry.isFile()) found.set(path, digestOfFile(join(folder, path)));
  }
  return found;
}

function digestOfFile(path: string): string {
  const hash = createHash('sha256');
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.allocUnsafe(256 * 1024);
    for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) {
      hash.update(buffer.subarray(0, read));
    }
  } finally {
    closeSync(descriptor);
  }
  return hash.digest('hex');
}

/** What was copied and compared is compared once more before it goes: nobody knows what happened meanwhile. */
export function removeCopied(source: string, target: string): boolean {
  if (kindOf(source) !== 'folder' || kindOf(target) !== 'folder' || !isCopyOf(source, target)) return false;
  rmSync(source, { recursive: true, force: true });
  return true;
}

/** What is there under this name, not followed. */
export function kindOf(path: string): 'none' | 'folder' | 'other' {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return 'none';
  return facts.isDirectory() ? 'folder' : 'other';
}
