import { join } from 'node:path';
import { makePrivateFolder } from '../../lib/atomic-file.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { ProjectPaths } from '../project.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { kindOf } from './archive-move.ts';

/** The folder of archived sessions. */
export function archiveFolder({ state }: ProjectPaths): string {
  return join(state, 'archive', 'sessions');
}

/**
 * There, and really inside the project: an agent could have put a link in its place, to have things moved or removed
 * elsewhere. Another disk can be mounted there.
 */
export function ensureArchive(paths: ProjectPaths): Result<string, Refusal> {
  const folder = archiveFolder(paths);
  const above = join(paths.state, 'archive');
  for (const path of [above, folder]) {
    if (kindOf(path) !== 'other') continue;
    const message = `${path} is no folder, or a link to one`;
    return err(refusal('UNAVAILABLE', message, `see what it is: ls -ld ${path}`));
  }
  makePrivateFolder(folder);
  return ok(folder);
}
