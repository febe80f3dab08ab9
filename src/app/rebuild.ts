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
