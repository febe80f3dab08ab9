import { matchesGlob } from '../../lib/glob.ts';

/** Which files a call may write. Paths are relative to the project. */
export interface WriteScope {
  /** The directory that the call works in; empty: the project itself. */
  readonly cwd: string;
  /** Patterns relative to that directory; null: any file there. */
  readonly writes: readonly string[] | null;
}

export function mayWrite({ cwd, writes }: WriteScope, path: string): boolean {
  const start = cwd === '' ? '' : `${cwd}/`;
  if (!path.startsWith(start)) return false;
  return writes === null || writes.some((pattern) => matchesGlob(path.slice(start.length), pattern));
}

/**
 * The changed files that are this call's doing. `others`: calls that may be at work in the same folder at the same time; what they
 * may write is taken for theirs.
 */
export function ownChanges(changed: readonly string[], others: readonly WriteScope[]): readonly string[] {
  return changed.filter((path) => !others.some((other) => mayWrite(other, path)));
}

/** Files that the call wrote and may not write. */
export function findBeyond(
  changed: readonly string[],
  scope: WriteScope,
  others: readonly WriteScope[],
): readonly string[] {
  return ownChanges(changed, others).filter((path) => !mayWrite(scope, path));
}
