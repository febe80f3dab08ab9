import {
  changePlan as changeRecordedPlan,
  changeTask as changeRecordedTask,
} from '../../plan-record/change-plan.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import type { DecisionEvent } from '../../../model/event.ts';
import type { PlanRecord } from '../../../model/plan/plan-record.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import { writePlanViews } from '../plan-views.ts';
import { lookAtTask } from './required-task.ts';

/** A change of a plan by a command: its record, then its files. `hint` says what to do when it is refused. */
export async function changePlan(
  tutti: Tutti,
  plan: string,
  hint: string,
  change: Parameters<typeof changeRecordedPlan>[2],
  made?: DecisionEvent,
): Promise<Result<PlanRecord, Refusal>> {
  const changed = await changeRecordedPlan(tutti, plan, change, made);
  if (!changed.ok) return err(refusal('FAILURE', changed.error, hint));
  await writePlanViews(tutti, plan);
  return ok(changed.value);
}

/** The same for a task. */
export async function changeTask(
  tutti: Tutti,
  plan: string,
  id: string,
  change: Parameters<typeof changeRecordedTask>[3],
): Promise<Result<TaskRow, Refusal>> {
  const changed = await changeRecordedTask(tutti, plan, id, change);
  if (!changed.ok) return err(refusal('FAILURE', changed.error, lookAtTask(id)));
  await writePlanViews(tutti, plan);
  return ok(changed.value);
}
