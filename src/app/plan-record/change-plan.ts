import { err, ok, type Result } from '../../lib/result.ts';
import { untilUnchanged } from '../../lib/retry-changed.ts';
import type { DecisionEvent } from '../../model/event.ts';
import type { PlanChange, PlanRecord } from '../../model/plan/plan-record.ts';
import type { PlanTask } from '../../model/plan/plan-task.ts';
import { reloadTasks } from '../../model/plan/reload-tasks.ts';
import type { TaskRow } from '../../model/plan/task-row.ts';
import type { TaskChange } from '../../model/plan/task-state.ts';
import type { PlanStore } from '../../model/ports/plan-store.ts';
import type { PlanQueries } from '../../model/ports/plan-queries.ts';

/** Where plans are read and written. */
export interface PlanParts {
  readonly store: PlanStore;
  readonly queries: { readonly plans: PlanQueries };
}

type Maybe<T> = T | Promise<T>;

const unknown = (name: string): string => `there is no plan '${name}'`;

/**
 * Changes a plan's record as `change` decides from the record as it is now. A change that another process makes meanwhile lets
 * it decide again. `made` is noted in the audit if the change is written.
 */
export function changePlan(
  { store, queries }: PlanParts,
  name: string,
  change: (plan: PlanRecord, tasks: () => Promise<readonly TaskRow[]>) => Maybe<PlanChange>,
  made?: DecisionEvent,
): Promise<Result<PlanRecord, string>> {
  return untilUnchanged(async () => {
    const now = await store.readPlan(name);
    if (now === null) return err(unknown(name));
    const changed = await change(now.plan, () => queries.plans.tasks(name));
    if (!changed.ok) return changed;
    const write = { plan: changed.value, ...(made === undefined ? {} : { made }) };
    const written = await store.writePlan(name, now.version, write);
    return written.at === 'changed' ? 'changed' : ok(written.plan);
  });
}

/** The same for one task. */
export function changeTask(
  { store, queries }: PlanParts,
  plan: string,
  id: string,
  change: (row: TaskRow) => Maybe<TaskChange>,
): Promise<Result<TaskRow, string>> {
  return untilUnchanged(async () => {
    const now = await store.readPlan(plan);
    const row = await queries.plans.task(plan, id);
    if (now === null || row === null) return err(`plan '${plan}' has no task '${id}'`);
    const changed = await change(row);
    if (!changed.ok) return err(`task ${id} ${changed.error}`);
    if (changed.value === row.state) return ok(row);
    const written = await store.writePlan(plan, now.version, { task: { id, state: changed.value } });
    return written.at === 'changed' ? 'changed' : ok({ ...row, state: changed.value });
  });
}

/**
 * Takes the tasks as they are now; what is being worked on may be neither changed nor removed. `change` sees the tasks that
 * were there before, and what it makes of the plan is written with the tasks.
 */
export function loadTasks(
  { store, queries }: PlanParts,
  plan: string,
  tasks: readonly PlanTask[],
  change: (plan: PlanRecord, before: readonly TaskRow[]) => PlanChange = (record) => ok(record),
): Promise<Result<{ readonly changed: readonly string[]; readonly removed: readonly string[] }, string>> {
  return untilUnchanged(async () => {
    const now = await store.readPlan(plan);
    if (now === null) return err(unknown(plan));
    const before = await queries.plans.tasks(plan);
    const loaded = reloadTasks(now.plan, before, tasks);
    if (!loaded.ok) return loaded;
    const { rows, changed, removed, kept } = loaded.value;
    const next = change(now.plan, before);
    if (!next.ok) return next;
    const record = kept === null ? next.value : { ...next.value, removed: kept };
    const written = await store.writePlan(plan, now.version, { plan: record, tasks: rows });
    return written.at === 'changed' ? 'changed' : ok({ changed, removed });
  });
}
