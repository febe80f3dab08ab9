import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '../lib/atomic-file.ts';
import { syncPath } from '../lib/sync-path.ts';

/*
 * Values with a secret in them, as files for their owner only, named by their content. A database is copied, mailed and
 * opened by others; these are not part of it.
 */

function pathOf(database: string, hash: string): string {
  return join(dirname(database), 'private', `${hash}.json`);
}

/** Durable before the database refers to it. */
export function keepPrivately(database: string, hash: string, text: string): void {
  const path = pathOf(database, hash);
  if (existsSync(path)) return;
  makePrivateFolder(dirname(path));
  const unfinished = `${path}.tmp.${process.pid}`;
  const descriptor = openSync(unfinished, 'w', 0o600);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, path);
  syncPath(dirname(path));
}

export function keptPrivately(database: string, hash: string): string {
  const path = pathOf(database, hash);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`a value of ${database} is kept in ${path}, which cannot be read`, { cause: error });
  }
}
