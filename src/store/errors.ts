import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../lib/error-code.ts';

/** The database could not do it: nothing of the transition happened. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly hint: string;
  /** It may be read, and not written. */
  readonly isReadOnly: boolean;
  /** Another process holds it just now. */
  readonly isLocked: boolean;

  constructor(path: string, cause: unknown, hint?: string) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`cannot use ${path}: ${why}`, { cause });
    this.hint = hint ?? hintFor(why, dirname(path));
    this.isReadOnly = /readonly/i.test(why);
    this.isLocked = /locked|busy/i.test(why);
  }
}

function hintFor(why: string, folder: string): string {
  if (/full/i.test(why)) return 'free some disk space, then run: tutti resume';
  if (/readonly|unable to open|permission/i.test(why)) {
    if (isOnReadOnlyDisk(folder))
      return 'its file system is mounted read-only: mount it for writing, then run: tutti resume';
    return 'check who owns the .tutti folder: ls -la .tutti';
  }
  if (/malformed|not a database/i.test(why)) return 'restore it: tutti recover';
  if (/locked|busy/i.test(why)) return 'another process holds it; see who drives runs: tutti runs';
  return 'then run: tutti doctor';
}

function isOnReadOnlyDisk(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return errorCode(error) === 'EROFS';
  }
}
