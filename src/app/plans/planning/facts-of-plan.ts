import type { PlanFacts } from '../../../model/plan/plan-facts.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import type { Queries } from '../../../store/queries.ts';
import type { PlanPaths } from '../paths.ts';
import { readPlanContext, requiredCommands } from '../plan-context.ts';
import { planFacts } from '../plan-facts.ts';

/** What validators must know of a plan. Files that its own tasks have written are no news to it. */
export function factsOfPlan(
  { plans }: Pick<Queries, 'plans'>,
  plan: PlanRecord,
  paths: PlanPaths,
  { specText, sequenced }: Pick<PlanFacts, 'specText' | 'sequenced'>,
): PlanFacts {
  const { targetDir, projectType } = plan;
  const done = plans.tasks(plan.name).flatMap(({ state }) => (state.at === 'done' ? [state.files] : []));
  return planFacts({
    specText,
    targetDir,
    projectType,
    testCommands: requiredCommands(plan, readPlanContext(paths)),
    touched: new Set(done.flatMap(({ created, modified }) => [...created, ...modified])),
    sequenced,
  });
}
