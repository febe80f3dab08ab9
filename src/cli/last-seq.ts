import type { Tutti } from '../app/tutti.ts';

/** Where the feed of a run stands now: what comes later is news. */
export function lastSeq(tutti: Tutti, runId: string): number {
  return tutti.queries.events(runId, 0, -1).at(-1)?.seq ?? 0;
}
