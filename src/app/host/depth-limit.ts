import type { Budget } from '../../model/budget.ts';

interface KnownBudgets {
  budget(runId: string): Promise<Pick<Budget, 'limits'> | null>;
}

/** How deep sessions may nest by the budgets of these runs; null: none of them has one. */
export async function findDepthLimit(
  queries: KnownBudgets,
  runIds: readonly string[],
): Promise<number | null> {
  const budgets = await Promise.all([...new Set(runIds)].map((id) => queries.budget(id)));
  const depths = budgets.flatMap((budget) => budget?.limits.depth ?? []);
  return depths.length === 0 ? null : Math.min(...depths);
}
