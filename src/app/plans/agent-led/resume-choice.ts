import { findAsync } from '../../../lib/async-list.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import { executeRunId, planRunId } from '../../../model/plan/task-row.ts';
import type { Tutti } from '../../tutti.ts';
import { findPlan, type FoundPlan } from '../find-plan.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { isStopped } from './plan-status.ts';

/** The plan whose halt a resume clears; null: it is about another run. Without a name it is the plan that is halted. */
export async function planToResume(tutti: Tutti, name: string | undefined): Promise<FoundPlan | null> {
  if (name === undefined) {
    const found = await findPlan(tutti);
    return found.ok && isHalted(found.value) ? found.value : null;
  }
  const plans = await tutti.queries.plans.all();
  const isRun = (await tutti.queries.run(name)) !== null;
  const named = plans.find((plan) =>
    isRun ? [executeRunId(plan.name), planRunId(plan.name)].includes(name) : plan.name === name,
  );
  return named === undefined ? null : withPaths(tutti, named);
}

/** The run that goes on with a plan; null: agents conduct it themselves. */
export async function runToResume({ queries }: Pick<Tutti, 'queries'>, plan: string): Promise<string | null> {
  const ids = [executeRunId(plan), planRunId(plan)];
  return (await findAsync(ids, async (id) => (await queries.run(id)) !== null)) ?? null;
}

function isHalted({ plan, paths }: FoundPlan): boolean {
  return plan.halt !== null || isStopped(paths);
}

function withPaths({ paths }: Tutti, plan: PlanRecord): FoundPlan {
  return { plan, paths: planPathsOf(paths, plan.name), note: null };
}
