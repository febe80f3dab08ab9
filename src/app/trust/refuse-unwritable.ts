import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';
import { shellWord } from '../../lib/shell-word.ts';
import type { ProjectPaths } from '../project.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { stateFolder, type Variables } from '../state-folder.ts';
import { stateOrigin } from './state-mark.ts';

/**
 * Why nothing may begin here: the project cannot be written, or the person's own state directory cannot and something must be
 * recorded there first (`mustRecord`). Asked before a person is asked anything, so that no half of the work is done.
 */
export function refuseUnwritable(
  paths: Pick<ProjectPaths, 'root' | 'state'>,
  env: Variables,
  mustRecord: boolean,
): Refusal | null {
  // An agent in a sandbox gets the sentence that is meant for it.
  if ((env['TUTTI_SESSION_ID'] ?? '') !== '') return null;
  const inPlace = refuseFile(paths);
  if (inPlace !== null) return inPlace;
  const project = unwritable(paths.state);
  if (project !== null) {
    const message = `${paths.state} cannot be written: ${project.why}`;
    return refusal('UNAVAILABLE', message, `see whose it is: ls -lad ${shellWord(project.folder)}`);
  }
  const isMade = stateOrigin(paths, env).from === 'here';
  return mustRecord || !isMade ? refuseStateFolder(env) : null;
}

/** Why a file in the place of the state is refused; null: there is none. */
function refuseFile({ state }: Pick<ProjectPaths, 'state'>): Refusal | null {
  const facts = statSync(state, { throwIfNoEntry: false });
  if (facts === undefined || facts.isDirectory()) return null;
  const aside = `mv ${shellWord(state)} ${shellWord(`${state}-aside`)}`;
  return refusal(
    'UNAVAILABLE',
    `${state} is a file, where the folder of Tutti's state should be`,
    `move it aside: ${aside}`,
  );
}

/** Why nothing can be recorded for this person; null: it can. */
export function refuseStateFolder(env: Variables): Refusal | null {
  const own = unwritable(stateFolder(env));
  if (own === null) return null;
  const message = `${stateFolder(env)}, where Tutti keeps its state, cannot be written: ${own.why}`;
  return refusal('UNAVAILABLE', message, 'name a folder that can be: export XDG_STATE_HOME=DIR, then again');
}

/** Of a folder that need not exist yet: then the nearest one above it counts. */
function unwritable(folder: string): { readonly folder: string; readonly why: string } | null {
  const found = nearestTo(folder);
  if (!statSync(found).isDirectory()) {
    // A file in the place of the folder itself is refused where it is opened.
    return found === folder ? null : { folder: found, why: `${found} is not a directory` };
  }
  try {
    accessSync(found, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const isReadOnly = errorCode(error) === 'EROFS';
    const why = isReadOnly ? `the file system of ${found} is read-only` : `you may not write to ${found}`;
    return { folder: found, why };
  }
}

function nearestTo(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestTo(dirname(folder));
}
