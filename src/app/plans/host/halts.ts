import { ok } from '../../../lib/result.ts';
import { stepIdOf } from '../../../model/key.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import { requestHalt } from '../../../model/plan/plan-transitions.ts';
import { executeRunId } from '../../../model/plan/task-row.ts';
import type { Clock } from '../../../model/ports/clock.ts';
import type { Queries } from '../../../store/queries.ts';
import { withoutEnd } from '../../host/completions.ts';
import type { HostParts } from '../../host/host-parts.ts';
import type { OperationContext, OperationEnd } from '../../host/operation-call.ts';
import { planPathsOf } from '../paths.ts';
import { findHalt } from '../state/find-halt.ts';

type HaltParts = Pick<HostParts, 'clock' | 'paths' | 'queries' | 'store'>;

const lookEveryMs = 200;
/** Between two parts of a task there is a moment in which nothing of it runs. */
const quietLooks = 3;

/**
 * Halts the execution of a plan that is to halt, once nothing of it is at work: tasks under way finish, and nothing new
 * starts, an agent that waits for the end of a usage limit included.
 */
export function heedHalts(parts: HaltParts): Disposable {
  const quiet = new Map<string, number>();
  return parts.clock.every(lookEveryMs, () => {
    try {
      for (const plan of parts.queries.plans.all()) look(parts, plan, quiet);
    } catch {
      // A database that cannot be read ends the drive itself, in one sentence.
    }
  });
}

function look(parts: HaltParts, plan: PlanRecord, quiet: Map<string, number>): void {
  const { queries, store, clock } = parts;
  const runId = executeRunId(plan.name);
  const halt = haltOf(parts, plan);
  if (halt === null || queries.run(runId)?.state.at !== 'running') {
    quiet.delete(runId);
    return;
  }
  const looks = isQuiet(queries, runId) ? (quiet.get(runId) ?? 0) + 1 : 0;
  quiet.set(runId, looks);
  // What cannot be written now is tried at the next look.
  const written = (writing: Promise<unknown>): void => void writing.catch(() => undefined);
  // A STOP file counts as asking, and is recorded when it is first seen.
  if (plan.halt === null) {
    written(
      store.changePlan(plan.name, (record) => ok(requestHalt(record, halt.reason, clock.wall(), null))),
    );
  }
  if (looks >= quietLooks) written(store.halt(runId, halt.reason, halt.by ?? null));
}

/** Null: the task may begin. Otherwise the plan was halted first, and resuming it asks for the task again. */
export async function heldBack(
  { parts, attempt: { runId }, signal }: Pick<OperationContext, 'parts' | 'attempt' | 'signal'>,
  name: string,
): Promise<OperationEnd<never> | null> {
  const { queries, clock } = parts;
  const isHeld = (): boolean => {
    const plan = queries.plans.one(name);
    return plan !== null && haltOf(parts, plan) !== null;
  };
  while (isHeld()) {
    if (signal.aborted) return withoutEnd('killed');
    if (queries.run(runId)?.state.at !== 'running') return { at: 'dropped' };
    await nextLook(clock);
  }
  return null;
}

function nextLook(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const looking = clock.every(lookEveryMs, () => {
      looking[Symbol.dispose]();
      resolve();
    });
  });
}

function haltOf({ paths }: HaltParts, plan: PlanRecord): ReturnType<typeof findHalt> {
  return findHalt(plan, planPathsOf(paths, plan.name));
}

/** Whether nothing of an execution is at work. A task that is to begin, asks a person or waits for a usage limit is not. */
function isQuiet(queries: Pick<Queries, 'entries'>, runId: string): boolean {
  return !queries
    .entries(runId)
    .some(
      ({ key, kind, state }) =>
        (kind === 'task' || kind === 'session') &&
        (state.at === 'open' || state.at === 'launched') &&
        !stepIdOf(key).endsWith('/begin'),
    );
}
