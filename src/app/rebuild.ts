import { join } from 'node:path';
import { writePlanViews } from './plans/plan-views.ts';
import { restorePlanFiles } from './plan-files/kept-files.ts';
import { planPathsOf } from './plan-files/plan-paths.ts';
import { ensureResult } from './plan-files/task-result.ts';
import type { Tutti } from './tutti.ts';

export interface Rebuilt {
  readonly runs: number;
  /** Files that could not be written. */
  readonly failed: readonly string[];
}

/** Makes every view of these runs again: a fresh writer remembers nothing, so it writes everything. */
export async function rebuildViews(tutti: Tutti, runIds: readonly string[]): Promise<Rebuilt> {
  const views = tutti.views();
  const failed: string[] = [];
  for (const runId of runIds) failed.push(...(await views.update(runId)));
  return { runs: runIds.length, failed };
}

/** The log of the sessions, from the events that are still there. */
export function rebuildAudit({ audit }: Tutti): Promise<void> {
  return audit.rebuild();
}

/** The files of every plan: those that are gone and of which a copy is kept, state, checkpoint and the results of tasks. Returns those that could not be written. */
export async function rebuildPlans(tutti: Tutti): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const plan of await tutti.queries.plans.all()) {
    const { name } = plan;
    const { dir } = planPathsOf(tutti.paths, name);
    const rows = await tutti.queries.plans.tasks(name);
    const ids = rows.map(({ task }) => task.id);
    failed.push(...restorePlanFiles(tutti, plan, ids).missing.map((file) => join(dir, file)));
    for (const row of rows) ensureResult(tutti, name, row);
    failed.push(...(await writePlanViews(tutti, name)));
  }
  return failed;
}
