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
    this.hint = hint ?? hintFor(why);
    this.isReadOnly = /readonly/i.test(why);
    this.isLocked = /locked|busy/i.test(why);
  }
}

function hintFor(why: string): string {
  if (/full/i.test(why)) return 'free some disk space, then run: tutti resume';
  if (/readonly|unable to open|permission/i.test(why))
    return 'check who owns the .tutti folder: ls -la .tutti';
  if (/malformed|not a database/i.test(why)) return 'restore it: tutti recover';
  if (/locked|busy/i.test(why)) return 'another process holds it; see who drives runs: tutti runs';
  return 'then run: tutti doctor';
}
