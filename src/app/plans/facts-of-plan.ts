import type { PlanFacts } from '../../model/plan/plan-facts.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { changedPaths } from '../../model/plan/task-row.ts';
import type { Queries } from '../../model/ports/queries.ts';
import type { PlanPaths } from '../plan-files/plan-paths.ts';
import { readPlanContext, requiredCommands } from '../plan-files/plan-context.ts';
import { planFacts } from './plan-facts.ts';

/** What validators must know of a plan. Files that its own tasks have written, or write now, are no news to it. */
export async function factsOfPlan(
  { plans }: Pick<Queries, 'plans'>,
  plan: PlanRecord,
  paths: PlanPaths,
  { specText, sequenced }: Pick<PlanFacts, 'specText' | 'sequenced'>,
): Promise<PlanFacts> {
  const { targetDir, projectType } = plan;
  const rows = [...(await plans.tasks(plan.name)), ...Object.values(plan.removed ?? {})];
  return planFacts({
    specText,
    targetDir,
    projectType,
    testCommands: requiredCommands(plan, readPlanContext(paths)),
    touched: new Set(rows.flatMap(changedPaths)),
    sequenced,
  });
}
