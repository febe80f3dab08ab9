import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../lib/error-code.ts';
import { StoreUnavailable } from '../model/ports/store-unavailable.ts';

/** What is wrong with the database at this path, in one sentence with a next command. */
export function storeUnavailable(path: string, cause: unknown, hint?: string): StoreUnavailable {
  const said = cause instanceof Error ? cause.message : String(cause);
  // SQLite may meet a wiped file as an error of the disk, depending on what its log still holds.
  const isOfDisk = /disk i\/o/i.test(said);
  const damage = isShortRead(cause) ? 'a part of it is missing' : 'file is not a database';
  const why = isOfDisk && (isShortRead(cause) || !beginsLikeDatabase(path)) ? damage : said;
  return new StoreUnavailable({
    message: `cannot use ${path}: ${why}`,
    hint: hint ?? hintFor(why, dirname(path)),
    isReadOnly: /readonly/i.test(why),
    isLocked: /locked|busy/i.test(why),
    cause,
  });
}

function hintFor(why: string, folder: string): string {
  if (/full/i.test(why)) return 'free some disk space, then run: tutti resume';
  if (/readonly|unable to open|permission/i.test(why)) {
    if (isOnReadOnlyDisk(folder))
      return 'its file system is mounted read-only: mount it for writing, then run: tutti resume';
    return 'check who owns the .tutti folder: ls -la .tutti';
  }
  if (/malformed|not a database|is missing/i.test(why)) return 'restore it: tutti recover';
  if (/locked|busy/i.test(why))
    return 'another process holds it; list the processes that advance runs: tutti runs';
  return 'then run: tutti doctor';
}

/** SQLITE_IOERR_SHORT_READ: the file, or the log beside it, ends before what should be read. The disk itself answered. */
const shortRead = 522;

function isShortRead(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && cause.errcode === shortRead;
}

const firstBytes = Buffer.from('SQLite format 3\0');

/** Whether the file has the first bytes of every database; one that cannot be read may have them. */
function beginsLikeDatabase(path: string): boolean {
  const found = Buffer.alloc(firstBytes.length);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, found);
    } finally {
      closeSync(file);
    }
  } catch {
    return true;
  }
  return found.equals(firstBytes);
}

function isOnReadOnlyDisk(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return errorCode(error) === 'EROFS';
  }
}
