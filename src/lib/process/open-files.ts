import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Processes other than this one that have a file open, even if its name was removed since. Only Linux says so: elsewhere, and
 * for processes of other users, none is found.
 */
export function processesWithOpen(path: string, root = '/proc'): readonly number[] {
  const names = new Set([path, `${path} (deleted)`]);
  return namesIn(root)
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) =>
      namesIn(join(root, pid, 'fd')).some((fd) => names.has(linkOf(join(root, pid, 'fd', fd)))),
    )
    .map(Number);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Empty for what was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
