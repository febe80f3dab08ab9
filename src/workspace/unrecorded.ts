import type { Target } from '../model/workspace.ts';
import { baseRef, recordedPlaces } from './refs.ts';
import { commitAt, repositoryGit } from './repository.ts';

/** How the integration branch differs from what Tutti landed on it. */
export interface Unrecorded {
  /** `foreign`: on the branch, and not recorded. `missing`: recorded, and not on the branch. */
  readonly how: 'foreign' | 'missing';
  readonly commit: string;
}

/**
 * Compares the integration branch with the refs that every landing leaves beside it; null: they agree. Any program of the
 * user can move the branch, and what it put there was judged by no one.
 */
export async function findUnrecorded(target: Target, tip: string): Promise<Unrecorded | null> {
  const base = await commitAt(target, baseRef(target));
  const range = base === null ? [tip] : [tip, `^${base}`];
  const onBranch = (await repositoryGit(target, ['rev-list', '--reverse', ...range])).stdout.split('\n');
  const recorded = await recordedCommits(target);
  const foreign = onBranch.find((commit) => commit !== '' && !recorded.has(commit));
  if (foreign !== undefined) return { how: 'foreign', commit: foreign };
  const known = new Set(onBranch);
  for (const commit of recorded) {
    if (known.has(commit)) continue;
    const { exitCode } = await repositoryGit(target, ['merge-base', '--is-ancestor', commit, tip]);
    if (exitCode !== 0) return { how: 'missing', commit };
  }
  return null;
}

async function recordedCommits(target: Target): Promise<ReadonlySet<string>> {
  const places = recordedPlaces(target);
  const { stdout } = await repositoryGit(target, ['for-each-ref', '--format=%(objectname)', ...places]);
  return new Set(stdout.split('\n').filter((line) => line !== ''));
}
