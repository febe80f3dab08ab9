import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SessionSpec } from '../model/turn.ts';
import { writableFolders } from '../model/turn-tools.ts';

/** Folders that a turn may write, each also by its real path: a CLI may name a file either way. The session's comes last. */
export function writePlaces(spec: SessionSpec, sessionDir: string): readonly string[] {
  const folders = writableFolders(spec, sessionDir);
  return [...new Set(folders.flatMap(bothPaths))];
}

/** A path as it is named and as it is; a file that does not exist yet is resolved by its folder. */
export function bothPaths(path: string): readonly string[] {
  const real = realPath(path);
  const byFolder = real === path ? join(realPath(dirname(path)), basename(path)) : real;
  return [...new Set([path, byFolder])];
}

/** The path itself where it cannot be resolved. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
