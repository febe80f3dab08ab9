import { executeRunId } from '../../../model/plan/task-row.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import type { Tutti } from '../../tutti.ts';
import { drainedLooks, isDrained } from '../host/drained.ts';
import { planPathsOf } from '../paths.ts';
import { findHalt } from '../state/find-halt.ts';

/**
 * Halts the execution of a plan whose halt was asked for, once nothing of it is at work. A task that is to begin sees that
 * by itself; without one, a task that waits for a usage limit would start its agent again hours later.
 */
export function heedHalts(tutti: Tutti): Disposable {
  const quiet = new Map<string, number>();
  return tutti.clock.every(drainedLooks.everyMs, () => {
    try {
      for (const plan of tutti.queries.plans.all()) look(tutti, plan, quiet);
    } catch {
      // A database that cannot be read ends the drive itself, in one sentence.
    }
  });
}

function look({ queries, store, paths }: Tutti, plan: PlanRecord, quiet: Map<string, number>): void {
  const runId = executeRunId(plan.name);
  const halt = findHalt(plan, planPathsOf(paths, plan.name));
  const waits = queries.run(runId)?.state.at === 'running' && isDrained(queries, runId);
  const looks = halt === null || !waits ? 0 : (quiet.get(runId) ?? 0) + 1;
  quiet.set(runId, looks);
  if (halt === null || looks < drainedLooks.inARow) return;
  // What cannot be written now is tried at the next look.
  void store.halt(runId, halt.reason, halt.by ?? null).catch(() => undefined);
}
