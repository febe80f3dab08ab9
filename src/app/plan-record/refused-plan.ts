import { describeRefusal, type PlanRecord } from '../../model/plan/plan-record.ts';
import { executeRunId, planOfRunId } from '../../model/plan/task-row.ts';
import type { Queries } from '../../model/ports/queries.ts';
import { refusal, type Refusal } from '../refusal.ts';

/** Why nothing more is done with a plan that a person refused; null: no person did. `then`: what the approval is needed for. */
export function faultOfRefusal(plan: PlanRecord, then: string): Refusal | null {
  const refused = describeRefusal(plan);
  if (refused === null) return null;
  return refusal(
    'FAILURE',
    refused,
    `if you want it after all: tutti plan approve --plan ${plan.name}; then: ${then}`,
  );
}

/** Why a run may not continue: it executes a plan that a person refused. Null: it may. The planning of such a plan may end. */
export async function faultOfRefusedPlan(
  { queries }: { readonly queries: Pick<Queries, 'plans'> },
  runId: string,
): Promise<Refusal | null> {
  const name = planOfRunId(runId);
  if (runId !== executeRunId(name)) return null;
  const plan = await queries.plans.one(name);
  return plan === null ? null : faultOfRefusal(plan, `tutti resume ${runId}`);
}
