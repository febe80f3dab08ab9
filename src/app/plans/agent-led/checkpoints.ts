import { err, ok, type Result } from '../../../lib/result.ts';
import {
  type Acknowledged,
  clearCheckpoint,
  completeCheckpoint,
  createCheckpoint,
  recover,
  type Recovery,
  updateCheckpoint,
} from '../../../model/plan/checkpoint.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import { isByPerson } from '../../../model/run.ts';
import type { Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import { logActivity } from '../../plan-files/activity-log.ts';
import type { FoundPlan } from '../find-plan.ts';
import { ensureResult } from '../../plan-files/task-result.ts';
import { changePlan } from './change-and-show.ts';
import { isWorking } from './is-working.ts';
import { unknownTask } from './required-task.ts';
import { refuseToStart } from './start-task.ts';

type Changed = Promise<Result<PlanRecord, Refusal>>;

const look = 'look at it: tutti checkpoint status';

/** For tasks that may start now: a checkpoint before the approval would list work that no command begins. */
export async function createPlanCheckpoint(
  tutti: Tutti,
  { plan }: FoundPlan,
  ids: readonly string[],
): Changed {
  const refused = refuseToStart(plan);
  if (refused !== null) return err(refused);
  const nodes = new Set((await tutti.queries.plans.nodes(plan.name)).map(({ id }) => id));
  const unknown = ids.find((id) => !nodes.has(id));
  if (unknown !== undefined) return err(await unknownTask(plan.name, unknown, tutti.queries));
  const hint = 'see who is waited for: tutti checkpoint status, then: tutti checkpoint recover';
  return changePlan(tutti, plan.name, hint, async (record) => {
    const known = new Set((await tutti.queries.plans.nodes(plan.name)).map(({ id }) => id));
    return createCheckpoint(record, ids, { at: tutti.clock.wall(), known });
  });
}

export function updatePlanCheckpoint(
  tutti: Tutti,
  { plan }: FoundPlan,
  id: string,
  status: Acknowledged,
): Changed {
  return changePlan(tutti, plan.name, look, (record) => updateCheckpoint(record, id, status));
}

export function completePlanCheckpoint(tutti: Tutti, { plan }: FoundPlan): Changed {
  return changePlan(tutti, plan.name, look, completeCheckpoint);
}

export function clearPlanCheckpoint(tutti: Tutti, { plan }: FoundPlan): Changed {
  return changePlan(tutti, plan.name, look, (record) => ok(clearCheckpoint(record)));
}

/** A person who began a task by hand has no process that could be missed: only they know whether they still work on it. */
async function mayWork(tutti: Tutti, by: string): Promise<boolean> {
  const working = await isWorking(tutti, by);
  return working === 'yes' || (working === 'unknown' && isByPerson(by));
}

/** After a crash: who ended unnoticed, who is gone. Results that were not written any more are written now. */
export async function recoverPlan(
  tutti: Tutti,
  { plan, paths }: FoundPlan,
): Promise<Result<Recovery, Refusal>> {
  let found: Recovery | null = null;
  const changed = await changePlan(tutti, plan.name, look, async (record) => {
    const tasks = await tutti.queries.plans.states(plan.name);
    const alive = new Map<string, boolean>();
    for (const { state } of tasks)
      if (state.at === 'running') alive.set(state.by, await mayWork(tutti, state.by));
    found = recover(record, { at: tutti.clock.wall(), tasks, isAlive: (by) => alive.get(by) === true });
    return ok(found.plan);
  });
  if (!changed.ok) return changed;
  const recovery: Recovery = found ?? {
    plan: changed.value,
    acknowledged: {},
    orphans: [],
    alive: [],
    notStarted: [],
  };
  for (const id of Object.keys(recovery.acknowledged)) {
    const row = await tutti.queries.plans.task(plan.name, id);
    if (row !== null) ensureResult(tutti, plan.name, row);
  }
  const message = `${Object.keys(recovery.acknowledged).length} acknowledged, ${recovery.orphans.length} orphaned`;
  await logActivity(tutti, paths, { level: 'INFO', agent: 'tutti', event: 'recover', message });
  return ok(recovery);
}
