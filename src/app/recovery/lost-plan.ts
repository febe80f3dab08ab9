import { filterAsync } from '../../lib/async-list.ts';
import { planOfRunId } from '../../model/plan/task-row.ts';
import { isOver, type Run } from '../../model/run.ts';
import { faultOfEditedTasks } from '../plan-record/edited-tasks.ts';
import { faultOfRefusedPlan, hintOfRefusedPlanning } from '../plan-record/refused-plan.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { idsWithState } from './folders.ts';
import { faultOfOrphaned } from './orphaned-attempts.ts';
import { familyOf } from '../../model/family.ts';

/** Makes the record of a plan again. Agents that still work continue in their workspaces (`takeUpLostAttempts`). */
export function planAgainHint(plan: string): string {
  return `plan it again: tutti plan SPEC --plan ${plan}; then: tutti execute --plan ${plan}`;
}

type Known = Pick<Tutti, 'queries'>;
type Place = Known & Pick<Tutti, 'paths'>;
type Continued = Place & Pick<Tutti, 'env'>;

/**
 * Why a run of a plan may not be advanced: a recovery restored the run and not the plan. Without its tasks, every agent that
 * still works would be ended as no longer needed. Null: the plan is there, or the run is being stopped.
 */
export async function faultOfLostPlan({ queries }: Known, runId: string): Promise<Refusal | null> {
  const run = await queries.run(runId);
  if (run === null || !isOfPlan(run) || (run.cancelled && !isOver(run.state))) return null;
  const plan = planOfRunId(runId);
  if ((await queries.plans.one(plan)) !== null) return null;
  const message = `run ${runId} cannot continue, because the record of plan ${plan} is lost`;
  return refusal('UNAVAILABLE', message, planAgainHint(plan));
}

function isOfPlan(run: Run): boolean {
  return familyOf(run).isOfPlan && run.parent === null;
}

/** What continues a run that stands still, after what has to be done first. */
export async function continueHint(known: Continued, runId: string): Promise<string> {
  return (await firstHint(known, runId)) ?? `continue: tutti resume ${runId}`;
}

/**
 * What has to be done before a run can continue: its plan comes first, if that is lost, refused or edited, and so does the end of
 * an agent or command that cannot be followed. Null: nothing.
 */
export async function firstHint(known: Continued, runId: string): Promise<string | null> {
  const lost = await faultOfLostPlan(known, runId);
  if (lost !== null) return lost.hint;
  const orphaned = await faultOfOrphaned(known, runId);
  if (orphaned !== null) return orphaned.hint;
  const refusedPlanning = await hintOfRefusedPlanning(known, runId);
  if (refusedPlanning !== null) return refusedPlanning;
  const refused = await faultOfRefusedPlan(known, runId);
  const fault = refused ?? (await faultOfEditedTasks(known, runId));
  return fault === null ? null : `${fault.message}; ${fault.hint}`;
}

/** Plans whose record a recovery could not restore: the state that was written from the record is still there. */
export function findLostPlans({ queries, paths }: Place): Promise<readonly string[]> {
  return filterAsync(idsWithState(paths, 'plans'), async (id) => (await queries.plans.one(id)) === null);
}

/** Why there is no plan of this name, or none at all (`name` null); null: none was lost. */
export async function refuseLostPlan(place: Place, name: string | null): Promise<Refusal | null> {
  const lost = (await findLostPlans(place)).find((id) => name === null || id === name);
  if (lost === undefined) return null;
  return refusal('UNAVAILABLE', `the record of plan ${lost} is lost`, planAgainHint(lost));
}
