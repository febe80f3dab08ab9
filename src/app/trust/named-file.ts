import { dirname, resolve } from 'node:path';
import { isWithin } from '../../lib/path-below.ts';
import { findProject, isProject } from '../project.ts';
import type { Variables } from '../state-folder.ts';
import { projectTrust } from './project-trust.ts';
import { rootFor } from './root.ts';

/**
 * The folder whose trust decides about a file that a person named: the project that it is used in, or the repository or
 * project that it comes from. Null: it comes from neither, and is the person's own.
 */
export function ownerOf(file: string, project: string): string | null {
  if (isWithin(resolve(project), resolve(file))) return project;
  const other = findProject(dirname(file));
  return isProject(other) || rootFor(other).isGit ? other : null;
}

/** Whether a file that a person named counts in a project. */
export function countsNamed(file: string, project: string, env: Variables): boolean {
  const owner = ownerOf(file, project);
  return owner === null || projectTrust(owner, env).counts(resolve(file));
}
