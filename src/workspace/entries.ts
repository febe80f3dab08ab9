import { posix } from 'node:path';
import { ok, type Result } from '../lib/result.ts';
import type { SealedWork, Target } from '../model/workspace.ts';
import { partsOf, textOf } from './git.ts';
import { repositoryGit } from './repository.ts';

export type Changes = SealedWork['files'];

export interface ChangedEntry {
  readonly status: string;
  readonly mode: string;
  readonly oldMode: string;
  readonly blob: string;
  readonly oldBlob: string;
  /** From the checkout's root. */
  readonly path: string;
}

export async function changedEntries(
  target: Target,
  from: string,
  to: string,
): Promise<Result<readonly ChangedEntry[], string>> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', '--ignore-submodules=none'];
  const listed = textOf(await repositoryGit(target, [...args, from, to]));
  if (!listed.ok) return listed;
  const parts = partsOf(listed.value);
  return ok(
    parts.flatMap((facts, at) => {
      if (at % 2 === 1) return [];
      const [oldMode = '', mode = '', oldBlob = '', blob = '', status = ''] = facts.slice(1).split(' ');
      return [{ oldMode, mode, oldBlob, blob, status, path: parts[at + 1] ?? '' }];
    }),
  );
}

/** From the target, as the plan says it. */
export function fromTarget({ prefix }: Target, path: string): string {
  return prefix === '' ? path : posix.relative(prefix, path);
}

export function filesOf(target: Target, entries: readonly ChangedEntry[]): Changes {
  const paths = (status: string) =>
    entries.flatMap((entry) => (status.includes(entry.status) ? [fromTarget(target, entry.path)] : []));
  return { created: paths('A'), modified: paths('MT'), deleted: paths('D') };
}
