import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../lib/atomic-file.ts';
import { readText } from '../lib/read-text.ts';
import { ok, type Result } from '../lib/result.ts';
import type { Target } from '../model/workspace.ts';
import { runGit } from './git.ts';
import { lockedFor } from './lock.ts';
import { baseRef, integrationRef } from './refs.ts';
import { commitAt, repositoryText } from './repository.ts';
import { makeTarget } from './target.ts';

/**
 * Moves an owner's repository and workspaces aside if they are those of a former project at the same path, which the operator
 * deleted and made again. For an owner of which the state `stateId` records no run yet: it begins with nothing of the former one.
 */
export function retireFormer(target: Target, stateId: string | null): Promise<Result<unknown, string>> {
  return lockedFor(target, 'integration', async () => {
    const former = await repositoryText(target, ['rev-parse', '--verify', '--quiet', integrationRef(target)]);
    const isFormer = former.ok && (isForAnother(target, stateId) || (await isBroken(target)));
    const made = isFormer ? await moveAside(target, former.value.slice(0, 12)) : ok(null);
    if (made.ok && stateId !== null) replaceFile(stampOf(target), `${stateId}\n`);
    return made;
  });
}

function stampOf({ state }: Target): string {
  return join(state, 'made-for');
}

/** Earlier releases did not write for which one. */
function isForAnother(target: Target, stateId: string | null): boolean {
  const stamp = readText(stampOf(target), { maxBytes: 1000, links: 'refuse' });
  return stamp.ok && stateId !== null && stamp.value.trim() !== stateId;
}

/** The commit that it began with is gone with the repository that lent it. One that cannot be read just now has lost nothing. */
async function isBroken(target: Target): Promise<boolean> {
  if ((await commitAt(target, baseRef(target))) !== null) return false;
  const head = await runGit(target.root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  return target.kind === 'folder' || head.exitCode === 0;
}

function moveAside(target: Target, name: string): Promise<Result<unknown, string>> {
  const aside = join(target.state, 'former', name);
  rmSync(aside, { recursive: true, force: true });
  makePrivateFolder(aside);
  for (const part of ['work', 'setup', 'index', 'repository.git']) {
    if (existsSync(join(target.state, part))) renameSync(join(target.state, part), join(aside, part));
  }
  return makeTarget(target);
}
