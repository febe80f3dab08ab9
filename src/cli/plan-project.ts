import type { FoundPlan } from '../app/plans/find-plan.ts';
import { openIfMade, type Tutti } from '../app/tutti.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Context } from './context.ts';
import { openPlan, openPlanIfAny, type PlanFlags } from './read-plan.ts';

export type { PlanFlags } from './read-plan.ts';

type Work = (tutti: Tutti, found: FoundPlan) => Outcome | Promise<Outcome>;

/** Opens the project of a plan, wherever one stands, and finds the plan that is meant. */
export function withPlan(context: Context, flags: PlanFlags, work: Work): Promise<Outcome> {
  return openPlan(openIfMade, context, flags, work);
}

/** The same where a project without any plan is no mistake, unless one was named. */
export function withPlanIfAny(context: Context, flags: PlanFlags, work: Work): Promise<Outcome> {
  return openPlanIfAny(openIfMade, context, flags, work);
}
