import { err, ok, type Result } from '../../../lib/result.ts';
import type { DecisionEvent } from '../../../model/event.ts';
import type { PlanChange, PlanRecord } from '../../../model/plan/plan-record.ts';
import type { TaskRow } from '../../../model/plan/task-row.ts';
import type { TaskChange, TaskState } from '../../../model/plan/task-state.ts';
import { refusal, type Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import { writePlanViews } from '../plan-views.ts';
import { lookAtTask } from './required-task.ts';

/** A change of a plan by a command: one transaction, then its files. `hint` says what to do when it is refused. */
export async function changePlan(
  tutti: Tutti,
  plan: string,
  hint: string,
  change: (plan: PlanRecord, tasks: () => readonly TaskRow[]) => PlanChange,
  made?: DecisionEvent,
): Promise<Result<PlanRecord, Refusal>> {
  const changed = await tutti.store.changePlan(plan, change, made);
  if (!changed.ok) return err(refusal('FAILURE', changed.error, hint));
  await writePlanViews(tutti, plan);
  return ok(changed.value);
}

/** The same for a task. */
export async function changeTask(
  tutti: Tutti,
  plan: string,
  id: string,
  change: (row: TaskRow, stateOf: (id: string) => TaskState | null) => TaskChange,
): Promise<Result<TaskRow, Refusal>> {
  const changed = await tutti.store.changeTask(plan, id, change);
  if (!changed.ok) return err(refusal('FAILURE', changed.error, lookAtTask(id)));
  await writePlanViews(tutti, plan);
  return ok(changed.value);
}
