import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, identify } from '../lib/process/identity.ts';
import type { Target, Workspace } from '../model/workspace.ts';
import { sweepClaims } from './lock.ts';
import { sweepPorts } from './ports.ts';
import { records } from './record.ts';
import { branchOf, branchesOf, integrationBranch } from './refs.ts';
import { removeAside } from './remove-aside.ts';
import { moveRefs, repositoryGit } from './repository.ts';

export interface Leftovers {
  /** Workspaces that nobody closed; whoever knows what became of their attempts closes them or goes on in them. */
  readonly open: readonly Workspace[];
  /** What was removed: half-made and half-removed folders, temporary indexes, branches without a workspace. */
  readonly removed: readonly string[];
}

/** Clears away what processes that died left half-done in a plan's state. Takes nothing that holds work. */
export async function sweep(target: Target): Promise<Leftovers> {
  // Branches before records: a workspace is recorded before it has a branch.
  const branches = await attemptBranches(target);
  const open = records(target).map(({ workspace }) => workspace);
  const work = join(target.state, 'work');
  const index = join(target.state, 'index');
  const removed = [
    ...swept(work, halfDone),
    ...swept(index, temporaryIndex),
    ...swept(target.state, halfDone),
  ];
  sweepClaims(join(target.state, 'locks'));
  sweepPorts(target, work, new Set(open.map(({ root }) => root)));
  const known = new Set(open.map((workspace) => branchOf(target.owner, workspace)));
  for (const { name, commit } of branches) {
    if (known.has(name)) continue;
    await moveRefs(target, [`delete refs/heads/${name} ${commit}`]);
    removed.push(name);
  }
  return { open, removed };
}

async function attemptBranches(target: Target): Promise<readonly { name: string; commit: string }[]> {
  const format = '--format=%(refname:lstrip=2) %(objectname)';
  const { stdout } = await repositoryGit(target, [
    'for-each-ref',
    format,
    `refs/heads/${branchesOf(target.owner)}`,
  ]);
  return stdout.split('\n').flatMap((line) => {
    const [name = '', commit = ''] = line.split(' ');
    return name === '' || name === integrationBranch(target.owner) ? [] : [{ name, commit }];
  });
}

const halfDone = /\.(\d+)\.(new|old)$/;
const temporaryIndex = /\.(\d+)-\d+(\.lock)?$/;

/** Those of processes that are no more. */
function swept(folder: string, form: RegExp): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => {
    const pid = form.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) return false;
    return removeAside(join(folder, name));
  });
}

function isRunning(pid: number): boolean {
  const process = identify(pid);
  return process !== null && isAlive(process);
}
