import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute } from 'node:path';
import { isWithin } from '../../lib/path-below.ts';
import { realOf } from '../../workspace/trust-root.ts';
import { findProject, isProject } from '../project.ts';
import { rootFor } from './root.ts';

/**
 * The folder whose programs are started only if a person trusts it: the checkout, the project or, where there is neither, the
 * folder itself. Null: it holds the person's own programs, as a home does, or the folder in which Node is installed.
 */
export function foreignRoot(folder: string): string | null {
  const { checkout, isGit } = rootFor(folder);
  if (isWithin(checkout, homedir())) return null;
  const isPlain = !isGit && !isProject(checkout);
  return isPlain && isWithin(checkout, realOf(process.execPath) ?? process.execPath) ? null : checkout;
}

/** The folder, and every project that the project around it lies in: making one below another makes nothing the person's own. */
export function projectsAround(folder: string): readonly string[] {
  const own = findProject(folder);
  const outer = findProject(dirname(own));
  return [folder, ...(outer !== own && isProject(outer) ? projectsAround(outer) : [])];
}

/**
 * A search path without entries that lie in the checkout, the project or the plain folder around a folder. A relative entry
 * means another folder in every place, and is left out too. The same text where there are none, so that whoever asks need
 * not look further.
 */
export function entriesOutside(searchPath: string | undefined, folder: string): string | undefined {
  if (searchPath === undefined) return undefined;
  const root = foreignRoot(folder);
  const isInside = (entry: string): boolean =>
    root !== null && (isWithin(root, entry) || isWithin(root, realOf(entry) ?? entry));
  return searchPath
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !isInside(entry))
    .join(delimiter);
}
