import { closeSync, constants, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/** Through no link and into no pipe: agents can write where we do, and could point us at another person's file. */
export function appendText(path: string, text: string, mode = 0o600): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}
