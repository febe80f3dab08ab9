import { findPlan, type FoundPlan } from '../app/plans/find-plan.ts';
import { planOutlook } from '../app/plans/outlook.ts';
import type { Refusal } from '../app/refusal.ts';
import type { Tutti } from '../app/tutti.ts';
import type { Result } from '../lib/result.ts';
import type { Context } from './context.ts';
import { printLines } from './print.ts';
import { outlookLines } from './render/plan-outlook.ts';
import { painter } from './render/style.ts';

/** What a person agrees to, in full. */
export async function showPlan(
  context: Context,
  tutti: Tutti,
  plan: string,
): Promise<Result<FoundPlan, Refusal>> {
  const found = await findPlan(tutti, plan);
  if (!found.ok) return found;
  const outlook = await planOutlook(tutti, found.value);
  if (!outlook.ok) return outlook;
  const { screen } = context;
  const columns = screen.isTerminal ? screen.columns() : Number.POSITIVE_INFINITY;
  printLines(context, ['', ...outlookLines(outlook.value, painter(screen.colour), columns), '']);
  return found;
}
