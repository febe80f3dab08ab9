import { realpathSync } from 'node:fs';
import type { SessionSpec } from '../model/turn.ts';
import { writableFolders } from '../model/turn-tools.ts';

/** Folders that a turn may write, each also by its real path: a CLI may name a file either way. The session's comes last. */
export function writePlaces(spec: SessionSpec, sessionDir: string): readonly string[] {
  const folders = writableFolders(spec, sessionDir);
  return [...new Set(folders.flatMap((folder) => [folder, realPath(folder)]))];
}

/** The folder itself where it cannot be resolved. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
