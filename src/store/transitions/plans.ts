import { plain } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { PlanChange, PlanRecord } from '../../model/plan/plan-record.ts';
import type { PlanTask } from '../../model/plan/plan-task.ts';
import { executeRunId, reloaded, type TaskRow } from '../../model/plan/task-row.ts';
import type { TaskChange, TaskState } from '../../model/plan/task-state.ts';
import { encode, encodeWhole } from '../codec.ts';
import { findPlan, findTask, findTasks } from '../plan-rows.ts';
import { addEvent, type Tx } from './tables.ts';

/** Plans and their tasks change here only: each function is one transaction, so ten agents at once lose nothing. */

export function createPlan(tx: Tx, plan: PlanRecord): 'created' | 'exists' {
  if (findPlan(tx.db, plan.name) !== null) return 'exists';
  savePlan(tx, plan);
  return 'created';
}

export function changePlan(
  tx: Tx,
  name: string,
  change: (plan: PlanRecord, tasks: () => readonly TaskRow[]) => PlanChange,
): Result<PlanRecord, string> {
  const plan = findPlan(tx.db, name);
  if (plan === null) return err(`there is no plan '${name}'`);
  const changed = change(plan, () => findTasks(tx.db, name));
  if (!changed.ok) return changed;
  const next = { ...changed.value, updatedAt: tx.now };
  savePlan(tx, next);
  return ok(next);
}

function savePlan(tx: Tx, plan: PlanRecord): void {
  tx.db.run(
    'insert or replace into plans(name, phase, body, updated_at) values(?, ?, ?, ?)',
    plan.name,
    plan.phase,
    encode(tx.db, plain(plan)),
    plan.updatedAt,
  );
  addEvent(tx, executeRunId(plan.name), { type: 'plan.changed', plan: plan.name, phase: plan.phase });
}

/** Takes the tasks as they are now; what is being worked on may be neither changed nor removed. */
export function loadTasks(
  tx: Tx,
  plan: string,
  tasks: readonly PlanTask[],
): Result<{ readonly changed: readonly string[]; readonly removed: readonly string[] }, string> {
  const before = new Map(findTasks(tx.db, plan).map((row) => [row.task.id, row]));
  const rows = tasks.map((task) => reloaded(before.get(task.id), task));
  const now = new Set(tasks.map(({ id }) => id));
  const removed = [...before.keys()].filter((id) => !now.has(id));
  const changed = rows.filter(({ task, state }) => before.get(task.id)?.state !== state);
  const busy = [...removed, ...changed.map(({ task }) => task.id)].find(
    (id) => before.get(id)?.state.at === 'running',
  );
  if (busy !== undefined) return err(`task ${busy} is being worked on and cannot be changed now`);
  for (const id of removed) tx.db.run('delete from plan_tasks where plan = ? and id = ?', plan, id);
  for (const row of rows) saveTask(tx, plan, row);
  return ok({ changed: changed.map(({ task }) => task.id), removed });
}

export type StateOf = (id: string) => TaskState | null;

/** `stateOf` sees the other tasks as they are in this very transaction. */
export function changeTask(
  tx: Tx,
  plan: string,
  id: string,
  change: (row: TaskRow, stateOf: StateOf) => TaskChange,
): Result<TaskRow, string> {
  const row = findTask(tx.db, plan, id);
  if (row === null) return err(`plan '${plan}' has no task '${id}'`);
  const changed = change(row, (other) => findTask(tx.db, plan, other)?.state ?? null);
  if (!changed.ok) return err(`task ${id} ${changed.error}`);
  if (changed.value === row.state) return ok(row);
  const next = { ...row, state: changed.value };
  saveTask(tx, plan, next);
  addEvent(tx, executeRunId(plan), { type: 'task.changed', plan, task: id, state: changed.value.at });
  return ok(next);
}

function saveTask({ db }: Tx, plan: string, { task, state }: TaskRow): void {
  db.run(
    'insert or replace into plan_tasks(plan, id, status, definition, state) values(?, ?, ?, ?, ?)',
    plan,
    task.id,
    state.at,
    encodeWhole(db, plain(task)),
    encode(db, plain(state)),
  );
}
