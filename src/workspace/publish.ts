import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../model/workspace.ts';
import { type GitEnd, runGit } from './git.ts';
import { formerRef, integrationRef, rescueRef } from './refs.ts';
import { repositoryGit } from './repository.ts';
import { pastStaleLocks } from './stale-lock.ts';

/**
 * Shows the operator's repository what landed and what was rescued, under names of Tutti's own, so that `git log
 * tutti/<owner>/integration` works there. It also keeps the owner's first commit from being collected. A view: when it
 * cannot be shown (a branch named `tutti` is in the way, somebody has it checked out) nothing depends on it. A commit
 * of somebody else's stays where it is.
 */
export async function publish(target: Target): Promise<boolean> {
  if (target.kind === 'folder' || !existsSync(target.root)) return false;
  const { root, gitDir } = target;
  const rescues = rescueRef(target, '*');
  const shown = (await addedByHand(target)) === null ? [integrationRef(target), rescues] : [rescues];
  return (await fetchFrom(root, gitDir, shown)).exitCode === 0;
}

/** The commit at the end of the shown branch, where neither Tutti's branch nor the checkout has it; null: nothing would be lost. */
export async function addedByHand(target: Target): Promise<string | null> {
  const shown = await commitIn(target, integrationRef(target));
  if (shown === null) return null;
  const places = [integrationRef(target), await commitIn(target, 'HEAD')];
  for (const place of places) {
    if (place === null) continue;
    const { exitCode } = await repositoryGit(target, ['merge-base', '--is-ancestor', shown, place]);
    if (exitCode === 0) return null;
  }
  const former = ['for-each-ref', '--points-at', shown, formerRef(target, '')];
  return (await runGit(target.root, former)).stdout === '' ? shown : null;
}

/** In the operator's repository. */
async function commitIn({ root }: Target, ref: string): Promise<string | null> {
  const { exitCode, stdout } = await runGit(root, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  return exitCode === 0 ? stdout.trim() : null;
}

/** The same for what was put aside only: a plan that is conducted by hand lands nothing. */
export async function publishRescues(target: Target): Promise<boolean> {
  if (target.kind === 'folder' || !existsSync(target.root)) return false;
  const { root, gitDir } = target;
  return (await fetchFrom(root, gitDir, [rescueRef(target, '*')])).exitCode === 0;
}

const quietly = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
];

/** A fetch and not a push: a push would start a git in the operator's repository without the pins. */
export function fetchFrom(root: string, from: string, refs: readonly string[]): Promise<GitEnd> {
  const args = [...quietly, from, ...refs.map((ref) => `+${ref}:${ref}`)];
  return pastStaleLocks(join(root, '.git', 'refs'), () =>
    runGit(root, args, { pins: [['protocol.file.allow', 'always']] }),
  );
}
