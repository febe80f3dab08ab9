import { ok } from '../../../lib/result.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import { readText } from '../../../lib/read-text.ts';
import type { Completion } from '../../../model/entry.ts';
import type { PlanHalt } from '../../../model/plan/plan-record.ts';
import { requestHalt } from '../../../model/plan/plan-transitions.ts';
import type { HostParts } from '../../host/host-parts.ts';
import { planPathsOf } from '../paths.ts';
import { isStopped } from '../state/plan-status.ts';
import { withoutEnd } from './completions.ts';
import { drainedLooks, isDrained } from './drained.ts';
import type { PlanHostTask } from './plan-host-task.ts';

/**
 * Null: the plan goes on. Else the task is not begun: once nothing of the run is at work any more, the run halts, and the
 * begin is dropped, to be asked for again by whoever resumes it. So tasks under way finish, and nothing new starts.
 */
export async function haltedInstead(task: PlanHostTask, plan: string): Promise<Completion | null> {
  const { parts, attempt, signal } = task;
  const halt = await findRequest(parts, plan);
  if (halt === null) return null;
  const drained = await untilDrained(parts, attempt.runId, signal);
  if (!drained) return withoutEnd('killed');
  // Whoever resumed meanwhile meant it.
  if ((await findRequest(parts, plan)) === null) return null;
  await parts.store.halt(attempt.runId, halt.reason, halt.by ?? null);
  return { at: 'dropped' };
}

/** A STOP file that somebody put there counts as asking: it is recorded when it is first seen. */
async function findRequest(
  { queries, store, paths, clock }: HostParts,
  plan: string,
): Promise<Pick<PlanHalt, 'reason' | 'by'> | null> {
  const known = queries.plans.one(plan)?.halt ?? null;
  if (known !== null) return known;
  const place = planPathsOf(paths, plan);
  if (!isStopped(place)) return null;
  const text = readText(place.stop, { maxBytes: 64 * 1024, links: 'refuse' });
  const said = text.ok ? oneLine(text.value) : '';
  const reason = said === '' ? 'there is a STOP file' : said;
  await store.changePlan(plan, (record) => ok(requestHalt(record, reason, clock.wall(), null)));
  return { reason };
}

/** False: somebody ended the wait. */
function untilDrained({ queries, clock }: HostParts, runId: string, signal: AbortSignal): Promise<boolean> {
  let quiet = 0;
  return new Promise((resolve) => {
    const looking = clock.every(drainedLooks.everyMs, () => {
      quiet = isDrained(queries, runId) ? quiet + 1 : 0;
      if (quiet < drainedLooks.inARow && !signal.aborted) return;
      looking[Symbol.dispose]();
      resolve(!signal.aborted);
    });
  });
}
