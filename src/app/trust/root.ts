import { isWithin } from '../../lib/path-below.ts';
import { realOf, type TrustRoot, trustRootOf } from '../../workspace/trust-root.ts';
import { findProject } from '../project.ts';

/** The repository that a folder belongs to; outside git, the project that it is in. */
export function rootFor(folder: string, project = findProject(folder)): TrustRoot {
  const around = trustRootOf(folder);
  const root = around.isGit ? null : realOf(project);
  return root !== null && isWithin(root, around.root) ? { ...around, checkout: root, root } : around;
}
