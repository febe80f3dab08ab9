import { textMember } from '../../lib/json.ts';
import { familyOf } from '../../model/family.ts';
import { afterRefusal } from '../../model/plan/objection.ts';
import { describeRefusal, type PlanRecord } from '../../model/plan/plan-record.ts';
import { executeRunId, planOfRunId, planRunId } from '../../model/plan/task-row.ts';
import type { Queries } from '../../model/ports/queries.ts';
import type { Run } from '../../model/run.ts';
import { refusal, type Refusal } from '../refusal.ts';

interface Place {
  readonly queries: Pick<Queries, 'plans' | 'run'>;
}

/** Why nothing more is done with a plan that a person refused; null: no person did. `then`: what the approval is needed for. */
export function faultOfRefusal(plan: PlanRecord, then: string): Refusal | null {
  const refused = describeRefusal(plan);
  return refused === null ? null : refusal('FAILURE', refused, `${afterRefusal(plan) ?? ''}; then: ${then}`);
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

/** What helps after a planning that ended with a person's refusal; null: it did not, or the plan is approved since. */
export async function hintOfRefusedPlanning({ queries }: Place, runId: string): Promise<string | null> {
  const name = planOfRunId(runId);
  const run = runId === planRunId(name) ? await queries.run(runId) : null;
  if (run === null || !isRefusedPlanning(run)) return null;
  const plan = await queries.plans.one(name);
  return plan === null ? null : afterRefusal(plan);
}

/** Whether a run has planned, and a person refused what came of it. */
export function isRefusedPlanning(run: Pick<Run, 'workflow' | 'state'>): boolean {
  const { isOfPlan, hasTasks } = familyOf(run);
  const { state } = run;
  return isOfPlan && !hasTasks && state.at === 'ended' && textMember(state.value, 'at') === 'refused';
}
