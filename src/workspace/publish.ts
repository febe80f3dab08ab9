import { existsSync } from 'node:fs';
import type { Target } from '../model/plan/workspace.ts';
import { runGit } from './git.ts';

/**
 * Shows the operator's repository what landed and what was rescued, under names of Tutti's own, so that `git log
 * tutti/<plan>/integration` works there. It also keeps the plan's first commit from being collected. A view: when it
 * cannot be shown (a branch named `tutti` is in the way, somebody has it checked out) nothing depends on it.
 */
export async function publish(target: Target): Promise<boolean> {
  if (target.kind === 'folder' || !existsSync(target.root)) return false;
  const { plan } = target;
  const shown = [`refs/heads/tutti/${plan}/integration`, `refs/tutti/rescue/${plan}/*`];
  const args = [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--no-recurse-submodules',
  ];
  const { exitCode } = await runGit(
    target.root,
    [...args, target.gitDir, ...shown.map((ref) => `+${ref}:${ref}`)],
    { pins: [['protocol.file.allow', 'always']] },
  );
  return exitCode === 0;
}
