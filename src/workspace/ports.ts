import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contentAddress } from '../lib/digest.ts';
import { errorCode } from '../lib/error-code.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Target, Workspace } from '../model/workspace.ts';
import { rootOf } from './record.ts';
import { nameOf, ownerLabel } from './refs.ts';

/** Below the ports that systems hand out by themselves. */
const first = 20_000;
const portsEach = 20;
const blocks = 600;

const folderOf = (target: Target): string => join(dirname(target.state), 'ports');

type Place = Pick<Workspace, 'task' | 'attempt'>;

/** What makes the programs of one attempt keep out of the others' way, wherever it works: a name, and a block of ports. */
export function claimEnvironment(target: Target, place: Place): Result<Workspace['env'], string> {
  const ports = claimPorts(target, rootOf(target, place));
  if (!ports.ok) return ports;
  return ok({
    TUTTI_WORKSPACE_NAME: `${ownerLabel(target)}-${nameOf(place)}`,
    TUTTI_PORT_BASE: String(ports.value),
    TUTTI_PORT_COUNT: String(portsEach),
  });
}

export function freeEnvironment(target: Target, place: Place): void {
  freePorts(target, rootOf(target, place));
}

/**
 * A block of ports that no other living workspace of this project has. The file's name is the block, its content the
 * workspace: asked again, the same workspace gets the same block. Projects begin at different places.
 */
function claimPorts(target: Target, root: string): Result<number, string> {
  const folder = folderOf(target);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const block of readdirSync(folder)) {
    if (ownerOf(join(folder, block)) === root) return ok(first + Number(block) * portsEach);
  }
  const start = Number.parseInt(contentAddress(folder).slice(0, 8), 16) % blocks;
  for (let step = 0; step < blocks; step += 1) {
    const block = (start + step) % blocks;
    if (claim(join(folder, String(block)), root)) return ok(first + block * portsEach);
  }
  return err(`all ${blocks} blocks of ports are taken; close workspaces that are done`);
}

function claim(path: string, root: string): boolean {
  try {
    writeFileSync(path, root, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function freePorts(target: Target, root: string): void {
  const folder = folderOf(target);
  if (!existsSync(folder)) return;
  for (const block of readdirSync(folder)) {
    if (ownerOf(join(folder, block)) === root) rmSync(join(folder, block), { force: true });
  }
}

/** Blocks of workspaces in this folder that are no more. */
export function sweepPorts(target: Target, work: string, living: ReadonlySet<string>): void {
  const folder = folderOf(target);
  if (!existsSync(folder)) return;
  for (const block of readdirSync(folder)) {
    const owner = ownerOf(join(folder, block));
    if (owner !== null && dirname(owner) === work && !living.has(owner))
      rmSync(join(folder, block), { force: true });
  }
}

function ownerOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
