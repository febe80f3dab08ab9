import type { Target } from '../../../model/workspace.ts';
import { closeWorkspace } from '../../../workspace/close.ts';
import { sweep } from '../../../workspace/sweep.ts';
import type { HostParts } from '../../host/host-parts.ts';

/**
 * Clears away what processes that died left half-done, and closes workspaces of attempts that are over by the record: work
 * in them is rescued. Whoever is at work keeps what is theirs.
 */
export async function tidyWorkspaces({ queries }: Pick<HostParts, 'queries'>, target: Target): Promise<void> {
  const { open } = await sweep(target);
  for (const workspace of open) {
    const state = (await queries.plans.task(target.owner.name, workspace.task))?.state;
    if (state?.at === 'running' && state.attempt === workspace.attempt) continue;
    // One that cannot be closed now is closed the next time.
    await closeWorkspace(target, workspace);
  }
}
