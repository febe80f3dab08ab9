import type { Budget } from '../../model/budget.ts';
import type { Run } from '../../model/run.ts';
import { type Ceiling, familyOf } from '../../model/family.ts';

/**
 * The command that continues a run with a higher ceiling: resumed as it is, it would end at the same one. Null: the run
 * reached none of its ceilings, and something else ended it.
 */
export function budgetHint(run: Run, budget: Budget | null): string | null {
  const ceiling = budget === null ? null : reachedCeiling(budget);
  return ceiling === null ? null : familyOf(run).raise(run.id, ceiling);
}

function reachedCeiling({ limits, spent }: Budget): Ceiling | null {
  const { launches, tokens, costUsd } = limits;
  if (launches !== undefined && spent.launches >= launches)
    return { member: 'launches', option: '--max-launches', now: String(launches) };
  if (tokens !== undefined && spent.tokens >= tokens)
    return { member: 'tokens', option: '--max-tokens', now: String(tokens) };
  if (costUsd !== undefined && spent.costUsd >= costUsd)
    return { member: 'cost_usd', option: '--max-cost', now: String(costUsd) };
  return null;
}
