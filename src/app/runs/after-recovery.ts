import { filterAsync } from '../../lib/async-list.ts';
import { isOver } from '../../model/run.ts';
import { findAtWork } from '../status/at-work.ts';
import type { Tutti } from '../tutti.ts';
import { advanceRun } from './advance-run.ts';
import { recordWishes } from './stop-run.ts';

/**
 * Records the stops that were kept while the runs themselves were lost: a run that was stopped is not continued because it was
 * restored. Returns these runs.
 */
export async function recordStops(tutti: Tutti): Promise<readonly string[]> {
  const kept = await filterAsync(tutti.wishes.all(), async ({ runId, mark }) => {
    const run = mark === 'stop' ? await tutti.queries.run(runId) : null;
    return run !== null && !isOver(run.state);
  });
  await recordWishes(tutti);
  tutti.wishes.noteRecovery();
  return kept.map(({ runId }) => runId);
}

/**
 * Brings runs that are to halt to their halt, which asks their questions again and launches nothing. A run of which an agent or
 * command is at work halts when that has ended.
 */
export async function settleHalts(tutti: Tutti, ids: readonly string[]): Promise<void> {
  const { queries } = tutti;
  for (const runId of ids) {
    const run = await queries.run(runId);
    if (run === null || run.parent !== null || run.state.at !== 'halting') continue;
    const tree = [runId, ...(await queries.runsInside(runId))];
    const working = await filterAsync(
      tree,
      async (id) => (await findAtWork(tutti, id, await queries.entries(id))).size > 0,
    );
    // What cannot be advanced stays as it is: `resume` says why.
    if (working.length === 0) await advanceRun(tutti, { runId, stay: false }).catch(() => undefined);
  }
}
