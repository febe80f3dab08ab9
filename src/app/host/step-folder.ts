import { join, relative } from 'node:path';
import { isWithin, realPathBelow } from '../../lib/path-below.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { familyOf } from '../../model/family.ts';
import { realOf } from '../../workspace/trust-root.ts';
import type { HostParts } from './host-parts.ts';

/**
 * A folder of the project with every link below the project followed; an error is a sentence for a link that leads out of it. The
 * folder that was checked is the one to use. One that does not exist is left to what starts there.
 */
export function folderInProject(root: string, folder: string): Result<string, string> {
  const path = join(root, folder);
  const real = realOf(path);
  if (real === null || folder === '.' || folder === '') return ok(path);
  const below = realPathBelow(root, folder);
  if (!below.ok) return err(`${path} leads to ${real}, which is outside the project`);
  return ok(join(root, relative(realOf(root) ?? root, below.value)));
}

/** Where a step works, looked at again for every launch: a step before it may have put a link there. */
export async function folderOfStep(
  { paths: { root, state }, runOf }: Pick<HostParts, 'paths' | 'runOf'>,
  runId: string,
  workspace: string,
): Promise<Result<string, string>> {
  const run = await runOf(runId);
  // A trial of a driver keeps its state beside the folder that it works in, and not in the project.
  const isTrial = !isWithin(root, state);
  return run !== null && familyOf(run).staysInProject && !isTrial
    ? folderInProject(root, relative(root, workspace))
    : ok(workspace);
}
