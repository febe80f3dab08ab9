import type { Target } from '../../../model/plan/workspace.ts';
import { landHosted } from '../../../workspace/land-hosted.ts';
import { unlandedSnapshots } from '../../../workspace/unlanded.ts';
import type { Tutti } from '../../tutti.ts';
import { logActivity } from '../activity-log.ts';
import { planPathsOf } from '../paths.ts';

/**
 * Tasks that were done in the operator's own folder are put onto the integration branch, so that workspaces have what they
 * build on. What does not fit there stays where it is, and the log says so.
 */
export async function takeHostedWork(tutti: Tutti, target: Target): Promise<void> {
  const snapshots = await unlandedSnapshots(target);
  if (snapshots.size === 0) return;
  for (const { task, state } of tutti.queries.plans.tasks(target.plan)) {
    const snapshot = state.at === 'done' ? snapshots.get(`${task.id}-${state.attempt}`) : undefined;
    if (state.at !== 'done' || snapshot === undefined) continue;
    const { created, modified } = state.files;
    const landed = await landHosted(target, {
      task: task.id,
      attempt: state.attempt,
      snapshot,
      files: [...new Set([...task.files.map(({ path }) => path), ...created, ...modified])],
      message: `${task.id}: ${task.name}`,
      trailers: { 'Tutti-Task': task.id },
    });
    const trouble = landed.ok
      ? landed.value?.at === 'landed'
        ? null
        : conflictOf(landed.value)
      : landed.error;
    if (trouble === null) continue;
    await logActivity(tutti, planPathsOf(tutti.paths, target.plan), {
      level: 'WARN',
      agent: 'orchestrator',
      event: 'hosted-work',
      message: `${task.id} was done outside and is not on the integration branch: ${trouble}`,
    });
  }
}

function conflictOf(end: { readonly at: string; readonly files?: readonly string[] } | null): string | null {
  return end === null ? null : `others changed the same lines of ${(end.files ?? []).join(', ')}`;
}
