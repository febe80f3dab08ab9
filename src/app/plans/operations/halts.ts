import { changePlan } from '../../plan-record/change-plan.ts';
import { ok } from '../../../lib/result.ts';
import { stepIdOf } from '../../../model/key.ts';
import { describeRefusal, type PlanHalt, type PlanRecord } from '../../../model/plan/plan-record.ts';
import { requestHalt } from '../../../model/plan/plan-transitions.ts';
import { executeRunId } from '../../../model/plan/task-row.ts';
import { keepLooking, nextLook } from '../../../lib/keep-looking.ts';
import type { Queries } from '../../../model/ports/queries.ts';
import { withoutEnd } from '../../host/completions.ts';
import type { HostParts } from '../../host/host-parts.ts';
import type { OperationContext, OperationEnd } from '../../host/operation-call.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { findHalt } from '../../plan-record/find-halt.ts';

type HaltParts = Pick<HostParts, 'clock' | 'paths' | 'queries' | 'store'>;

const lookEveryMs = 200;
/** Between two parts of a task there is a moment in which nothing of it runs. */
const quietLooks = 3;

/**
 * Halts the execution of a plan that is to halt, once nothing of it is at work: tasks under way finish, and nothing new
 * starts, an agent that waits for the end of a usage limit included. A plan that a person refused is to halt too.
 */
export function heedHalts(parts: HaltParts): AsyncDisposable {
  const quiet = new Map<string, number>();
  // A database that cannot be read ends the advance itself, in one sentence.
  return keepLooking(parts.clock, lookEveryMs, async () => {
    for (const plan of await parts.queries.plans.all()) await look(parts, plan, quiet);
  });
}

async function look(parts: HaltParts, plan: PlanRecord, quiet: Map<string, number>): Promise<void> {
  const { queries, store, clock } = parts;
  const runId = executeRunId(plan.name);
  const halt = haltOf(parts, plan);
  if (halt === null || (await queries.run(runId))?.state.at !== 'running') {
    quiet.delete(runId);
    return;
  }
  const looks = (await isQuiet(queries, runId)) ? (quiet.get(runId) ?? 0) + 1 : 0;
  quiet.set(runId, looks);
  // A STOP file counts as asking, and is recorded when it is first seen. What cannot be written now is tried at the next look.
  if (plan.halt === null && describeRefusal(plan) === null)
    await changePlan(parts, plan.name, (record) =>
      ok(requestHalt(record, halt.reason, clock.wall(), null)),
    ).catch(() => undefined);
  if (looks >= quietLooks) await store.halt(runId, halt.reason, halt.by ?? null);
}

/** Null: the task may begin. Otherwise the plan was halted or refused first, and resuming it asks for the task again. */
export async function heldBack(
  { parts, attempt: { runId }, signal }: Pick<OperationContext, 'parts' | 'attempt' | 'signal'>,
  name: string,
): Promise<OperationEnd<never> | null> {
  const { queries, clock } = parts;
  const isHeld = async (): Promise<boolean> => {
    const plan = await queries.plans.one(name);
    return plan !== null && haltOf(parts, plan) !== null;
  };
  while (await isHeld()) {
    if (signal.aborted) return withoutEnd('killed');
    if ((await queries.run(runId))?.state.at !== 'running') return { at: 'dropped' };
    await nextLook(clock, lookEveryMs);
  }
  return null;
}

function haltOf({ paths }: HaltParts, plan: PlanRecord): PlanHalt | null {
  return refusedHalt(plan) ?? findHalt(plan, planPathsOf(paths, plan.name));
}

/** Holds until the plan is approved, and is recorded nowhere else. */
function refusedHalt(plan: PlanRecord): PlanHalt | null {
  const { approval } = plan;
  const reason = describeRefusal(plan);
  if (approval === null || reason === null) return null;
  return { reason, requestedAt: approval.at, confirmedAt: null, by: approval.by };
}

/** Whether nothing of an execution is at work. A task that is to begin, asks a person or waits for a usage limit is not. */
async function isQuiet(queries: Pick<Queries, 'entries'>, runId: string): Promise<boolean> {
  return !(await queries.entries(runId)).some(
    ({ key, kind, state }) =>
      (kind === 'task' || kind === 'session') &&
      (state.at === 'open' || state.at === 'launched') &&
      !stepIdOf(key).endsWith('/begin'),
  );
}
