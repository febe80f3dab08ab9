import { planOfRunId } from '../../model/plan/task-row.ts';
import { isOver, type Run } from '../../model/run.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { idsWithState } from './folders.ts';
import { familyOf } from '../../model/family.ts';

/** Makes the record of a plan again. Agents that still work continue in their workspaces (`takeUpLostAttempts`). */
export function planAgainHint(plan: string): string {
  return `plan it again: tutti plan SPEC --plan ${plan}; then: tutti execute --plan ${plan}`;
}

type Known = Pick<Tutti, 'queries'>;

/**
 * Why a run of a plan may not be advanced: a recovery restored the run and not the plan. Without its tasks, every agent that
 * still works would be ended as no longer needed. Null: the plan is there, or the run is being stopped.
 */
export function faultOfLostPlan({ queries }: Known, runId: string): Refusal | null {
  const run = queries.run(runId);
  if (run === null || !isOfPlan(run) || (run.cancelled && !isOver(run.state))) return null;
  const plan = planOfRunId(runId);
  if (queries.plans.one(plan) !== null) return null;
  const message = `run ${runId} cannot continue, because the record of plan ${plan} is lost`;
  return refusal('UNAVAILABLE', message, planAgainHint(plan));
}

function isOfPlan(run: Run): boolean {
  return familyOf(run).isOfPlan && run.parent === null;
}

/** What continues a run that stands still: its plan comes first, if that is lost. */
export function continueHint(known: Known, runId: string): string {
  return faultOfLostPlan(known, runId)?.hint ?? `continue: tutti resume ${runId}`;
}

type Place = Known & Pick<Tutti, 'paths'>;

/** Plans whose record a recovery could not restore: the state that was written from the record is still there. */
export function findLostPlans({ queries, paths }: Place): readonly string[] {
  return idsWithState(paths, 'plans').filter((id) => queries.plans.one(id) === null);
}

/** Why there is no plan of this name, or none at all (`name` null); null: none was lost. */
export function refuseLostPlan(place: Place, name: string | null): Refusal | null {
  const lost = findLostPlans(place).find((id) => name === null || id === name);
  if (lost === undefined) return null;
  return refusal('UNAVAILABLE', `the record of plan ${lost} is lost`, planAgainHint(lost));
}
