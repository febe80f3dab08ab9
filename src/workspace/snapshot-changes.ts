import { ok, type Result } from '../lib/result.ts';
import type { SealedWork, Target } from '../model/plan/workspace.ts';
import { changedEntries } from './entries.ts';
import { snapshot } from './snapshot.ts';

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
): Promise<Result<SealedWork['files'], string>> {
  const now = await snapshot(target, `${name}-now`, files);
  if (!now.ok) return now;
  const entries = await changedEntries(target, commit, now.value);
  if (!entries.ok) return entries;
  const paths = (statuses: string): readonly string[] =>
    entries.value.filter(({ status }) => statuses.includes(status)).map(({ path }) => path);
  return ok({ created: paths('A'), modified: paths('MT'), deleted: paths('D') });
}
