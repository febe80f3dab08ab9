import { join, relative, resolve } from 'node:path';
import { isWithin } from '../../lib/path-below.ts';
import type { TrustRecord } from '../../model/trust-file.ts';
import { inRealFolder, realOf } from '../../workspace/trust-root.ts';
import { surfaceDigest } from '../../workspace/trust-surfaces.ts';
import type { Variables } from '../state-folder.ts';
import { entriesOutside, projectsAround } from './path-entries.ts';
import { rootFor } from './root.ts';
import { emptyRecord, readTrust } from './trust-file.ts';

/**
 * What of a project counts. The one place that decides it: configuration, agents, skills, flows and commands are taken
 * through here, by every command.
 */
export interface ProjectTrust {
  /** Its main checkout, by which trust is recorded. */
  readonly repository: string;
  /** Whether a person trusted the repository, whatever has changed in it since. */
  readonly isKnown: boolean;
  /** Whether a file lies in the repository, so that trust decides about it. */
  readonly holds: (path: string) => boolean;
  /** Whether a file or folder counts: a person trusted it, or the folder that holds it, as it is now. */
  readonly counts: (path: string) => boolean;
  /** Whether commands that the files of the repository suggest may run. */
  readonly countsCommands: (commands: readonly string[]) => boolean;
}

export function projectTrust(folder: string, env: Variables): ProjectTrust {
  const { root, checkout } = rootFor(folder);
  // Read for every answer: a process that lives long learns what a person trusted meanwhile.
  const record = (): TrustRecord => {
    const records = readTrust(env);
    return (records.ok ? records.value.get(root) : undefined) ?? emptyRecord;
  };
  const real = realOf(folder) ?? resolve(folder);
  // A folder on the way may be a link: what lies in it is known by either name, and by its content under both.
  const namesOf = (path: string): readonly string[] => {
    const full = resolve(folder, path);
    return [inRealFolder(full), resolve(real, relative(folder, full))].map((one) => relative(checkout, one));
  };
  return {
    repository: root,
    isKnown: record().at !== null,
    holds: (path) => namesOf(path).some((name) => isWithin(checkout, join(checkout, name))),
    counts: (path) => namesOf(path).some((name) => isTrusted(checkout, name, record())),
    countsCommands: (commands) => {
      const known = record().commands;
      return commands.every((command) => known.includes(command));
    },
  };
}

/** Whether one of the digests that were trusted for the path, or for a folder above it, is that of now. */
export function isTrusted(
  checkout: string,
  path: string,
  { surfaces }: Pick<TrustRecord, 'surfaces'>,
): boolean {
  const parts = path.split('/');
  return parts.some((_, at) => {
    const above = parts.slice(0, at + 1).join('/');
    return surfaces.get(above)?.includes(surfaceDigest(checkout, { path: above })) === true;
  });
}

/**
 * The environment without entries of PATH that lie in a repository which no person trusted: its programs would be started
 * in the place of the person's own.
 */
export function withoutForeignPrograms<T extends Variables>(env: T, folder: string): T {
  return projectsAround(folder).reduce((own, project) => {
    const outside = entriesOutside(own['PATH'], project);
    return outside === own['PATH'] || projectTrust(project, env).isKnown ? own : { ...own, PATH: outside };
  }, env);
}
