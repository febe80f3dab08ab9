import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '../../lib/atomic-file.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { ServiceUnit } from './unit.ts';

/** Switches the unit on: the link is all that `systemctl --user enable` would make. */
export function installService({ path, content, link }: ServiceUnit): Result<null, Refusal> {
  return guarded(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, content, 0o644);
    if (link === null || lstatSync(link, { throwIfNoEntry: false }) !== undefined) return;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(path, link);
  });
}

export function uninstallService({ path, link }: ServiceUnit): Result<null, Refusal> {
  return guarded(path, () => {
    if (link !== null) rmSync(link, { force: true });
    rmSync(path, { force: true });
  });
}

export type ServiceState = 'installed' | 'outdated' | 'absent';

/** Outdated: it starts another Node, another Tutti, or with another PATH than this one would. */
export function serviceState({ path, content, link }: ServiceUnit): ServiceState {
  if (!existsSync(path) || (link !== null && !existsSync(link))) return 'absent';
  return readFileSync(path, 'utf8') === content ? 'installed' : 'outdated';
}

function guarded(path: string, work: () => void): Result<null, Refusal> {
  try {
    work();
    return ok(null);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return err(
      refusal('UNAVAILABLE', `cannot change ${path}: ${why}`, `check its owner: ls -la ${dirname(path)}`),
    );
  }
}
