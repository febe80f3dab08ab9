import { writeDuration } from '../../lib/duration.ts';
import type { Budget } from '../../model/budget.ts';
import type { Ceiling } from '../../model/family.ts';
import type { Run } from '../../model/run.ts';

/**
 * The ceiling that a run ended at with BUDGET_EXCEEDED; null: it was something else.
 * A turn that was expected to exceed a ceiling was refused below it: then it is the ceiling that was nearest.
 */
export function reachedCeiling({
  limits,
  spent,
  workMs,
}: Pick<Budget, 'limits' | 'spent' | 'workMs'>): Ceiling | null {
  const { launches, tokens, costUsd, wallMs } = limits;
  if (launches !== undefined && spent.launches >= launches)
    return { member: 'launches', option: '--max-launches', now: String(launches) };
  const ofTokens = shareOf(spent.tokens, tokens);
  const ofCost = shareOf(spent.costUsd, costUsd);
  const isOver = wallMs !== undefined && workMs >= wallMs;
  if (isOver && ofTokens < 1 && ofCost < 1)
    return { member: 'wall', option: null, now: writeDuration(wallMs) };
  if (tokens !== undefined && ofTokens > 0 && ofTokens >= ofCost)
    return { member: 'tokens', option: '--max-tokens', now: String(tokens) };
  if (costUsd !== undefined && ofCost > 0)
    return { member: 'cost_usd', option: '--max-cost', now: String(costUsd) };
  return null;
}

/** A ceiling of nothing is reached by nothing. */
function shareOf(spent: number, ceiling: number | undefined): number {
  if (ceiling === undefined) return 0;
  return ceiling === 0 ? 1 : spent / ceiling;
}

/** The ceiling that a run ended at with DEPTH_EXCEEDED; null: that of a run above it. */
export function reachedDepth(
  { limits }: Pick<Budget, 'limits'>,
  { depth }: Pick<Run, 'depth'>,
): Ceiling | null {
  return depth < limits.depth ? null : { member: 'depth', option: '--max-depth', now: String(limits.depth) };
}
