import { type Budget, wallEnd, wallRefusalOf } from '../../model/budget.ts';
import type { Failure } from '../../model/failure.ts';
import type { AttemptRef } from '../../model/key.ts';
import type { HostParts } from './host-parts.ts';

/** A command was ended because the time at work of its run has reached its ceiling. */
export class TimeCeilingReached extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Why an attempt that a time limit ended had no more time: the ceiling of its run, or null: its own limit. */
export async function reachedTimeCeiling(
  parts: Pick<HostParts, 'queries' | 'clock'>,
  { runId }: Pick<AttemptRef, 'runId'>,
  endedAt: number | null,
): Promise<Failure | null> {
  const budgets = await budgetsOf(parts, runId);
  const at = endedAt ?? parts.clock.wall();
  return budgets.map((budget) => wallRefusalOf(budget, at)).find((refused) => refused !== null) ?? null;
}

/** When the ceilings of time end what is under way in this run; Infinity: there is none. */
export async function timeCeilingEnd(
  parts: Pick<HostParts, 'queries' | 'clock'>,
  runId: string,
): Promise<number> {
  const now = parts.clock.wall();
  return Math.min(...(await budgetsOf(parts, runId)).map((budget) => wallEnd(budget, now) ?? Infinity));
}

async function budgetsOf({ queries }: Pick<HostParts, 'queries'>, runId: string): Promise<readonly Budget[]> {
  const rootId = (await queries.run(runId))?.rootId ?? runId;
  const found = await Promise.all([...new Set([runId, rootId])].map((id) => queries.budget(id)));
  return found.filter((budget) => budget !== null);
}
