import type { BudgetLimits } from '../model/budget.ts';

export interface CeilingFlags {
  readonly maxLaunches?: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
}

/** What the flags say of the budget; what they do not say stays as it is. */
export function ceilingsOf({ maxLaunches, maxTokens, maxCost }: CeilingFlags): Partial<BudgetLimits> {
  return {
    ...(maxLaunches === undefined ? {} : { launches: maxLaunches }),
    ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
    ...(maxCost === undefined ? {} : { costUsd: maxCost }),
  };
}
