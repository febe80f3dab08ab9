import { join } from 'node:path';
import { surfacePlaces } from '../../drivers/cli-facts.ts';
import { isWithin } from '../../lib/path-below.ts';
import type { WorkspaceTrust } from '../../model/trust.ts';
import { foldersUpTo, realOf, type TrustRoot } from '../../workspace/trust-root.ts';
import { surfacesAround } from '../../workspace/trust-surfaces.ts';
import type { ProjectPaths } from '../project.ts';
import { stateFolder, type Variables } from '../state-folder.ts';
import { rootFor } from './root.ts';
import { isTrusted } from './project-trust.ts';
import { readTrust } from './trust-file.ts';

export interface TrustPlace {
  readonly env: Variables;
  readonly paths: Pick<ProjectPaths, 'root' | 'mark'>;
}

/**
 * Looked at again for every launch: a person may have trusted it, or an agent have written a file, a moment ago. Everything
 * that can act must be as a person trusted it, for a CLI takes all of it or nothing. A workspace that Tutti made for the
 * project in its own folder is the project's, also where git does not say so.
 */
export function workspaceTrust(workspace: string, place: TrustPlace): WorkspaceTrust {
  const around = rootFor(workspace, place.paths.root);
  const repository = repositoryOf(around, place);
  const records = readTrust(place.env);
  const record = records.ok ? records.value.get(repository) : undefined;
  const surfaces = surfacesAround(workspace, around.checkout, surfacePlaces);
  const acting = surfaces.filter(({ power }) => power === 'acts');
  return {
    trusted:
      record !== undefined &&
      record.at !== null &&
      acting.every(({ path }) => isTrusted(around.checkout, path, record)),
    repository,
    folders: [...new Set([workspace, ...foldersUpTo(workspace, around.checkout), around.root, repository])],
    surfaces,
  };
}

/** Whether agent CLIs that work in the project itself take settings from it. */
export function isTrustedProject(place: TrustPlace): boolean {
  return workspaceTrust(place.paths.root, place).trusted;
}

function repositoryOf(around: TrustRoot, { env, paths }: TrustPlace): string {
  const made = realOf(join(stateFolder(env), paths.mark));
  const isOurs = made !== null && isWithin(made, around.checkout);
  return isOurs ? rootFor(paths.root, paths.root).root : around.root;
}
