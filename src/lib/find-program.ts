import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program would be found by its name; null when nowhere. */
export function findProgram(name: string, searchPath: string | undefined): string | null {
  const folders = (searchPath ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isRunnable) ?? null;
}

/** A file that this process may execute. */
export function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
