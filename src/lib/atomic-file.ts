import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Readers see the old content or the new, never a mixture.
 * `writeFileSync` on a descriptor loops over short writes; `writeSync` does not, and on a full disk it would let a
 * truncated file replace a good one without any error.
 * No fsync: what is written here is a view, and can be rebuilt.
 */
export function replaceFile(path: string, content: string, mode = 0o600): void {
  const temporary = join(dirname(path), `.${basename(path)}.tmp.${process.pid}`);
  try {
    const descriptor = openSync(temporary, 'w', mode);
    try {
      writeFileSync(descriptor, content);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Directories of Tutti's own are for their owner only: prompts and logs may hold secrets. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
