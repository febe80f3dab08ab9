import { existsSync, renameSync, rmSync } from 'node:fs';
import { probe } from '../lib/probe.ts';
import { ok, type Result } from '../lib/result.ts';
import type { Target, Workspace } from '../model/workspace.ts';
import { indexOf } from './checkout.ts';
import { forgetSetUp } from './hooks.ts';
import { lockedFor } from './lock.ts';
import { freeEnvironment } from './ports.ts';
import { removeRecord } from './record.ts';
import { removeAside } from './remove-aside.ts';
import { branchRef, nameOf, sealedRef } from './refs.ts';
import { rescue } from './rescue.ts';
import { moveRefs, treeAt } from './repository.ts';
import { treeOfWorkspace } from './seal.ts';

/**
 * Removes a workspace and its branch. What in it is neither landed nor in its base is rescued first; the name of that
 * ref is the answer, null when there was nothing to rescue.
 */
export async function closeWorkspace(
  target: Target,
  workspace: Workspace,
): Promise<Result<string | null, string>> {
  const name = nameOf(workspace);
  return lockedFor(target, name, async () => {
    const kept = existsSync(workspace.root) ? await keep(target, workspace) : ok(null);
    if (!kept.ok) return kept;
    probe('close:kept');
    const going = `${workspace.root}.${process.pid}.old`;
    if (existsSync(workspace.root)) renameSync(workspace.root, going);
    probe('close:moved');
    removeRecord(target, workspace);
    probe('close:record');
    const gone = await moveRefs(target, [`delete ${branchRef(target, workspace)}`]);
    if (!gone.ok) return gone;
    freeEnvironment(target, workspace);
    forgetSetUp(target, name);
    for (const index of [name, `${name}.shown`]) rmSync(indexOf(target, index), { force: true });
    removeAside(going);
    probe('close:removed');
    return kept;
  });
}

async function keep(target: Target, workspace: Workspace): Promise<Result<string | null, string>> {
  const [now, landed] = await Promise.all([
    treeOfWorkspace(target, workspace),
    treeAt(target, sealedRef(target, workspace)),
  ]);
  if (!now.ok) return now;
  return now.value === landed ? ok(null) : rescue(target, workspace);
}
