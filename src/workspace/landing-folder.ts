import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../lib/result.ts';
import type { Target } from '../model/workspace.ts';
import { fillFolder, indexOf, plantRepository } from './checkout.ts';
import { forgetSetUp } from './hooks.ts';
import { lockedFor } from './lock.ts';
import { landingRoot } from './record.ts';
import { integrationBranch } from './refs.ts';
import { repositoryText } from './repository.ts';

/**
 * The plan's one checkout for judging merged work, with exactly that commit's files in it. What git ignores stays from
 * landing to landing: installed packages are not fetched again each time.
 */
export async function landingFolder(target: Target, commit: string): Promise<Result<string, string>> {
  const root = landingRoot(target);
  const index = indexOf(target, 'landing');
  const checkout = { root, commit, branch: integrationBranch(target.owner) };
  rmSync(`${index}.lock`, { force: true });
  if (!existsSync(root) || !existsSync(index) || !(await reset(target, checkout, index))) {
    rmSync(root, { recursive: true, force: true });
    forgetSetUp(target, 'landing');
    const filled = await fillFolder(target, checkout, index);
    if (!filled.ok) return filled;
  }
  plantRepository(target, checkout, index);
  return ok(root);
}

/** Acts in that folder while no landing does; the path is the target's inside it. */
export async function inLandingFolder<T>(
  target: Target,
  commit: string,
  act: (dir: string) => Promise<Result<T, string>>,
): Promise<Result<T, string>> {
  return lockedFor(target, 'landing', async () => {
    const folder = await landingFolder(target, commit);
    if (!folder.ok) return folder;
    const dir = join(folder.value, target.prefix);
    mkdirSync(dir, { recursive: true });
    return act(dir);
  });
}

async function reset(
  target: Target,
  { root, commit }: { root: string; commit: string },
  index: string,
): Promise<boolean> {
  const options = { workTree: root, index };
  const back = await repositoryText(target, ['read-tree', '--reset', '-u', commit], options);
  if (!back.ok) return false;
  return (await repositoryText(target, ['clean', '-ffdq'], options)).ok;
}
