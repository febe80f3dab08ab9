import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectPaths } from '../project.ts';

/** Bytes of everything in a folder; links are not followed, and what vanishes meanwhile counts nothing. */
export function folderBytes(folder: string): number {
  let bytes = 0;
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += folderBytes(path);
    else bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

export function diskOfSessions(paths: ProjectPaths): number {
  return folderBytes(join(paths.state, 'sessions'));
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
