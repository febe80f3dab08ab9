import { writePlanViews } from './plans/plan-views.ts';
import { ensureResult } from './plans/task-result.ts';
import type { Tutti } from './tutti.ts';

export interface Rebuilt {
  readonly runs: number;
  /** Files that could not be written. */
  readonly failed: readonly string[];
}

/** Makes every view of these runs again: a fresh writer remembers nothing, so it writes everything. */
export function rebuildViews(tutti: Tutti, runIds: readonly string[]): Rebuilt {
  const views = tutti.views();
  return { runs: runIds.length, failed: runIds.flatMap((runId) => views.update(runId)) };
}

/** The log of the sessions, from the events that are still there. */
export function rebuildAudit({ audit }: Tutti): Promise<void> {
  return audit.rebuild();
}

/** The files of every plan: state, checkpoint and the results of tasks. Returns those that could not be written. */
export async function rebuildPlans(tutti: Tutti): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name } of tutti.queries.plans.all()) {
    for (const row of tutti.queries.plans.tasks(name)) ensureResult(tutti, name, row);
    failed.push(...(await writePlanViews(tutti, name)));
  }
  return failed;
}
