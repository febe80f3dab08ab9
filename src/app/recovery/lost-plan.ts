import { planOfRunId } from '../../model/plan/task-row.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';

/** Makes the record of a plan again. Agents that still work continue in their workspaces (`takeUpLostAttempts`). */
export function planAgainHint(plan: string): string {
  return `plan it again: tutti plan SPEC --plan ${plan}; then: tutti execute --plan ${plan}`;
}

/**
 * Why a run of a plan may not be advanced: a recovery restored the run and not the plan. Without its tasks, every agent that
 * still works would be ended as no longer needed. Null: the plan is there, or the run is to end.
 */
export function faultOfLostPlan({ queries }: Pick<Tutti, 'queries'>, runId: string): Refusal | null {
  const run = queries.run(runId);
  const isOfPlan = run?.workflow === 'plan' || run?.workflow === 'execute';
  if (run === null || !isOfPlan || run.parent !== null || run.cancelled) return null;
  const plan = planOfRunId(runId);
  if (queries.plans.one(plan) !== null) return null;
  const message = `run ${runId} cannot continue, because the record of plan ${plan} is lost`;
  return refusal('UNAVAILABLE', message, planAgainHint(plan));
}
