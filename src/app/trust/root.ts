import { isWithin } from '../../lib/path-below.ts';
import { realOf, type TrustRoot, trustRootOf } from '../../workspace/trust-root.ts';
import { findProject } from '../project.ts';

/** The repository that a folder belongs to; outside git, the project that it is in. */
export function rootFor(folder: string, project = findProject(folder)): TrustRoot {
  const around = trustRootOf(folder);
  const root = around.isGit ? null : realOf(project);
  return root !== null && isWithin(root, around.root) ? { ...around, checkout: root, root } : around;
}

/** The project that a folder is in, as far as its repository goes: a submodule brings nothing of the project around it. */
export function projectInRepository(folder: string): string {
  const project = findProject(folder);
  const { checkout } = rootFor(folder, project);
  return isWithin(checkout, realOf(project) ?? project) ? project : checkout;
}
