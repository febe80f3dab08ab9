import { ok, type Result } from '../lib/result.ts';
import type { SealedWork, Target } from '../model/workspace.ts';
import { changedEntries } from './entries.ts';
import { snapshot } from './snapshot.ts';

export interface SinceSnapshot {
  readonly files: SealedWork['files'];
  /** What the folder is like now, as a commit. */
  readonly now: string;
}

/**
 * What is different in the operator's folder since a snapshot. `files` count even if they are ignored. Paths are relative
 * to the target.
 */
export async function changesSinceSnapshot(
  target: Target,
  {
    commit,
    name,
    files,
  }: { readonly commit: string; readonly name: string; readonly files: readonly string[] },
): Promise<Result<SinceSnapshot, string>> {
  const now = await snapshot(target, name, files);
  if (!now.ok) return now;
  const entries = await changedEntries(target, commit, now.value);
  if (!entries.ok) return entries;
  const paths = (statuses: string): readonly string[] =>
    entries.value.filter(({ status }) => statuses.includes(status)).map(({ path }) => path);
  const changed = { created: paths('A'), modified: paths('MT'), deleted: paths('D') };
  return ok({ files: changed, now: now.value });
}
