import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../lib/atomic-file.ts';
import { parsed, recorded } from '../lib/json.ts';
import type { Target, Workspace } from '../model/workspace.ts';
import { nameOf } from './refs.ts';

/** A workspace as it is kept on disk, beside its checkout. */
export interface WorkspaceRecord {
  readonly workspace: Workspace;
  readonly run: string;
  /** Being put on a newer base: from this work, to that commit, with that content. Done over if it was interrupted. */
  readonly update: WorkspaceUpdate | null;
}

interface WorkspaceUpdate {
  readonly from: string;
  readonly to: string;
  readonly tree: string;
  readonly conflicts: readonly string[];
  readonly isDone: boolean;
}

type Place = Pick<Workspace, 'task' | 'attempt'>;

export const rootOf = (target: Target, place: Place): string => join(target.state, 'work', nameOf(place));
/** The plan's one checkout for judging merged work. */
export const landingRoot = (target: Target): string => join(target.state, 'work', 'landing');
const recordFile = (target: Target, place: Place): string => `${rootOf(target, place)}.json`;

export function readRecord(target: Target, place: Place): WorkspaceRecord | null {
  const path = recordFile(target, place);
  if (!existsSync(path)) return null;
  return recorded<WorkspaceRecord>(parsed(readFileSync(path, 'utf8')));
}

export function writeRecord(target: Target, record: WorkspaceRecord): void {
  makePrivateFolder(join(target.state, 'work'));
  const path = recordFile(target, record.workspace);
  const temporary = `${path}.${process.pid}.new`;
  // Synced: nothing else knows what a workspace began with.
  writeFileSync(temporary, `${JSON.stringify(record)}\n`, { mode: 0o600, flush: true });
  renameSync(temporary, path);
}

export function removeRecord(target: Target, place: Place): void {
  rmSync(recordFile(target, place), { force: true });
}

/** All workspaces that were made and not closed. */
export function records(target: Target): readonly WorkspaceRecord[] {
  const folder = join(target.state, 'work');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => recorded<WorkspaceRecord>(parsed(readFileSync(join(folder, name), 'utf8'))));
}
