import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isMachineTrouble } from '../lib/machine-trouble.ts';
import { realPathBelow } from '../lib/path-below.ts';
import type { WorkspaceChanges, WrittenFile } from '../model/workspace-changes.ts';
import { markOfFile, type WorkspaceFiles } from './workspace-files.ts';

const maxFileBytes = 256 * 1024;
const maxBytes = 4 * 1024 * 1024;
const maxFiles = 500;

/** What changed in a folder since it was looked at, with the content that changed files have now, as far as it fits. */
export function changesSince(folder: string, before: WorkspaceFiles, now: WorkspaceFiles): WorkspaceChanges {
  if (!before.whole) return nothing(before.why);
  if (!now.whole) return nothing(now.why);
  const deleted = Object.keys(before.files).filter((path) => markOfFile(join(folder, path)) === null);
  // What git ignores since then is still there, and may have been changed.
  const names = new Set([...Object.keys(now.files), ...Object.keys(before.files)]);
  const changed = [...names].filter((path) => {
    const mark = markOfFile(join(folder, path));
    return mark !== null && mark !== before.files[path];
  });
  const written: WrittenFile[] = [];
  const leftOut: string[] = [];
  let bytes = 0;
  for (const path of changed.toSorted()) {
    const file = written.length < maxFiles ? readChanged(folder, path) : 'one changed file too many';
    if (typeof file === 'string') leftOut.push(`${path}: ${file}`);
    else if (bytes + file.content.length > maxBytes) leftOut.push(`${path}: no room is left for it`);
    else {
      bytes += file.content.length;
      written.push(file);
    }
  }
  return { written, deleted: deleted.toSorted(), leftOut };
}

function nothing(why: string): WorkspaceChanges {
  return { written: [], deleted: [], leftOut: [`files: ${why}`] };
}

/** Or why it is not taken. */
function readChanged(folder: string, path: string): WrittenFile | string {
  const real = realPathBelow(folder, path);
  if (!real.ok) return 'it leads out of the workspace, or nowhere';
  let descriptor: number;
  try {
    descriptor = openSync(
      join(folder, path),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    return 'it is a link, or may not be read';
  }
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return 'it is no file';
    const buffer = Buffer.alloc(Math.min(facts.size, maxFileBytes) + 1);
    const length = readSync(descriptor, buffer);
    if (length > maxFileBytes) return `it is larger than ${maxFileBytes} bytes`;
    return { path, content: buffer.subarray(0, length), executable: (facts.mode & 0o100) !== 0 };
  } finally {
    closeSync(descriptor);
  }
}
