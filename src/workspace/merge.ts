import { err, ok, type Result } from '../lib/result.ts';
import type { Target } from '../model/workspace.ts';
import { textOf } from './git.ts';
import { repositoryGit } from './repository.ts';

export interface Merged {
  /** With conflict markers in it where there are conflicts. */
  readonly tree: string;
  /** From the checkout's root. */
  readonly conflicts: readonly string[];
}

/** What two commits make together, computed beside every checkout. Names, so that conflict markers tell them. */
export async function mergeTrees(
  target: Target,
  ours: string,
  theirs: string,
): Promise<Result<Merged, string>> {
  const args = [
    'merge-tree',
    '--write-tree',
    '-z',
    '--name-only',
    '--no-messages',
    '--allow-unrelated-histories',
  ];
  const end = await repositoryGit(target, [...args, ours, theirs]);
  if (end.exitCode === 129)
    return err('git 2.38 or newer is needed to merge beside a checkout; see: tutti doctor');
  if (end.exitCode !== 0 && end.exitCode !== 1) {
    const said = textOf(end);
    return said.ok ? err('git could not merge') : said;
  }
  const [tree = '', ...conflicts] = end.stdout.split('\0').filter((part) => part.trim() !== '');
  return ok({ tree: tree.trim(), conflicts: end.exitCode === 0 ? [] : [...new Set(conflicts)] });
}
