import type { Target } from '../model/workspace.ts';
import { blobsAt } from './blobs.ts';
import { changedEntries, fromTarget } from './entries.ts';
import { runGit } from './git.ts';
import { deliveredRef, integrationRef, landedRef } from './refs.ts';
import { commitAt, repositoryGit } from './repository.ts';
import { entriesAt, snapshot } from './snapshot.ts';

/** Whether what a task landed is in the operator's folder too: delivered, or brought there by somebody in another way. */
export async function isDelivered(
  target: Target,
  place: { readonly task: string; readonly attempt: number },
): Promise<boolean> {
  const landed = await commitAt(target, landedRef(target, place));
  if (landed === null) return true;
  return (await isReachable(target, landed)) || hasSameFiles(target, landed);
}

/** Whether everything that landed on the integration branch is in the operator's folder. */
export async function hasEverything(target: Target): Promise<boolean> {
  const tip = await commitAt(target, integrationRef(target));
  return tip === null || isReachable(target, tip);
}

/** Whether the operator's folder is at this commit, or went on from it. */
async function isReachable(target: Target, commit: string): Promise<boolean> {
  const here = target.kind === 'git' ? await headOf(target) : await commitAt(target, deliveredRef(target));
  if (here === null) return false;
  return (await repositoryGit(target, ['merge-base', '--is-ancestor', commit, here])).exitCode === 0;
}

async function headOf({ root }: Target): Promise<string | null> {
  const head = await runGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  return head.exitCode === 0 ? head.stdout.trim() : null;
}

/** A branch that was squashed or picked from has other commits, and the same content. */
async function hasSameFiles(target: Target, landed: string): Promise<boolean> {
  const entries = await changedEntries(target, `${landed}^`, landed);
  if (!entries.ok) return false;
  const paths = entries.value.map(({ path }) => fromTarget(target, path));
  const now = await snapshot(target, 'delivered', paths);
  const wanted = await blobsAt(target, integrationRef(target), paths);
  if (!now.ok || !wanted.ok) return false;
  const there = await entriesAt(target, now.value, paths);
  return there.ok && paths.every((path) => there.value.get(path) === wanted.value.get(path));
}
