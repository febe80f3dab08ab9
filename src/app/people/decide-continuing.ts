import { filterAsync } from '../../lib/async-list.ts';
import { ok, type Result } from '../../lib/result.ts';
import { isByPerson, rests, type Run } from '../../model/run.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import type { Refusal } from '../refusal.ts';
import { decide, type DecisionPlace } from './decide.ts';

interface KnownRuns {
  readonly queries: {
    run(id: string): Promise<Run | null>;
    runsInside(id: string): Promise<readonly string[]>;
  };
}

/** `decide`, or `permitDecision` for a look before anything is decided. */
type Ask = (place: DecisionPlace, decision: 'resume', about: string) => Promise<Result<unknown, Refusal>>;

/** Asks for a person's word where a person halted or stopped the run, or a run inside it that would go on with it. */
export async function decideToContinue(
  place: DecisionPlace & KnownRuns,
  runId: string,
  ask: Ask = decide,
): Promise<Result<null, Refusal>> {
  const { queries } = place;
  const inside = [runId, ...(await queries.runsInside(runId))];
  const stopped = await filterAsync(inside, async (id) => {
    const run = await queries.run(id);
    return run !== null && rests(run) && isByPerson(run.stoppedBy);
  });
  if (stopped.length === 0) return ok(null);
  const decided = await ask(place, 'resume', `run ${stopped.join(', ')}`);
  return decided.ok ? ok(null) : decided;
}

/** The same for a plan that is halted. A STOP file has no author, and counts as a person's. */
export async function decideToContinuePlan(
  place: DecisionPlace,
  { name, halt }: Pick<PlanRecord, 'name' | 'halt'>,
  ask: Ask = decide,
): Promise<Result<null, Refusal>> {
  if (!isByPerson(halt?.by ?? null)) return ok(null);
  const decided = await ask(place, 'resume', `plan ${name}`);
  return decided.ok ? ok(null) : decided;
}
