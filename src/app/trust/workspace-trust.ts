import { join } from 'node:path';
import { isWithin } from '../../lib/path-below.ts';
import type { WorkspaceTrust } from '../../model/trust.ts';
import { foldersUpTo, realOf, type TrustRoot } from '../../workspace/trust-root.ts';
import { surfacesAround } from '../../workspace/trust-surfaces.ts';
import type { ProjectPaths } from '../project.ts';
import { stateFolder, type Variables } from '../state-folder.ts';
import { rootFor } from './root.ts';
import { readTrust } from './trust-file.ts';

export interface TrustPlace {
  readonly env: Variables;
  readonly paths: Pick<ProjectPaths, 'root' | 'mark'>;
}

/**
 * Looked at anew for every launch: somebody may have trusted it, or an agent have written a file, a moment ago. A workspace
 * that Tutti made for the project in its own folder is the project's, also where git does not say so.
 */
export function workspaceTrust(workspace: string, place: TrustPlace): WorkspaceTrust {
  const around = rootFor(workspace, place.paths.root);
  const repository = repositoryOf(around, place);
  return {
    trusted: isRecorded(repository, place),
    repository,
    folders: [...new Set([workspace, ...foldersUpTo(workspace, around.checkout), around.root, repository])],
    surfaces: surfacesAround(workspace, around.checkout),
  };
}

/** Of the project itself, without a look at what it brings. */
export function isTrustedProject(place: TrustPlace): boolean {
  return isRecorded(rootFor(place.paths.root, place.paths.root).root, place);
}

function repositoryOf(around: TrustRoot, { env, paths }: TrustPlace): string {
  const made = realOf(join(stateFolder(env), paths.mark));
  const isOurs = made !== null && isWithin(made, around.checkout);
  return isOurs ? rootFor(paths.root, paths.root).root : around.root;
}

function isRecorded(repository: string, { env }: TrustPlace): boolean {
  const records = readTrust(env);
  return records.ok && records.value.has(repository);
}
