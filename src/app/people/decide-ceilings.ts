import { ok, type Result } from '../../lib/result.ts';
import { type BudgetLimits, raisedCeilings } from '../../model/budget.ts';
import type { Refusal } from '../refusal.ts';
import { decide, type DecisionPlace } from './decide.ts';

interface KnownBudgets {
  readonly queries: { budget(runId: string): Promise<{ readonly limits: BudgetLimits } | null> };
}

/** Asks for a person's word where a known run would get a higher ceiling than it has. */
export async function decideCeilings(
  place: DecisionPlace & KnownBudgets,
  runId: string,
  limits: BudgetLimits,
): Promise<Result<null, Refusal>> {
  const before = (await place.queries.budget(runId))?.limits;
  const raised = before === undefined ? [] : raisedCeilings(before, limits);
  if (raised.length === 0) return ok(null);
  const decided = await decide(place, 'raise', `${raised.join(', ')} of run ${runId}`);
  return decided.ok ? ok(null) : decided;
}
