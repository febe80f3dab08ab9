import { plain } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { DecisionEvent } from '../../model/event.ts';
import { isAtLeast, type PlanPhase } from '../../model/plan/phase.ts';
import type { PlanChange, PlanRecord } from '../../model/plan/plan-record.ts';
import type { PlanTask } from '../../model/plan/plan-task.ts';
import { serialised } from '../../model/plan/serialise.ts';
import { executeRunId, planRunId, reloaded, retired, type TaskRow } from '../../model/plan/task-row.ts';
import type { TaskChange, TaskState } from '../../model/plan/task-state.ts';
import { encode, encodeWhole } from '../codec.ts';
import { findPlan, findTask, findTasks } from '../plan-rows.ts';
import { addDecision, addEvent, type Tx } from './tables.ts';

/** Plans and their tasks change here only: each function is one transaction, so ten agents at once lose nothing. */

export function createPlan(tx: Tx, plan: PlanRecord): 'created' | 'exists' {
  if (findPlan(tx.db, plan.name) !== null) return 'exists';
  savePlan(tx, plan, null);
  return 'created';
}

/** `made`: told to the audit if the change is made. */
export function changePlan(
  tx: Tx,
  name: string,
  change: (plan: PlanRecord, tasks: () => readonly TaskRow[]) => PlanChange,
  made?: DecisionEvent,
): Result<PlanRecord, string> {
  const plan = findPlan(tx.db, name);
  if (plan === null) return err(`there is no plan '${name}'`);
  const changed = change(plan, () => findTasks(tx.db, name));
  if (!changed.ok) return changed;
  const next = { ...changed.value, updatedAt: tx.now };
  savePlan(tx, next, plan.phase);
  addDecision(tx, made);
  return ok(next);
}

function savePlan(tx: Tx, plan: PlanRecord, before: PlanPhase | null): void {
  tx.db.run(
    'insert or replace into plans(name, phase, body, updated_at) values(?, ?, ?, ?)',
    plan.name,
    plan.phase,
    encode(tx.db, plain(plan)),
    plan.updatedAt,
  );
  if (plan.phase === before) return;
  const runId = isAtLeast(plan.phase, 'executing') ? executeRunId(plan.name) : planRunId(plan.name);
  addEvent(tx, runId, { type: 'plan.changed', plan: plan.name, phase: plan.phase });
}

/**
 * Takes the tasks as they are now; what is being worked on may be neither changed nor removed. `change` is told which
 * tasks were there before, and what it makes of the plan is part of the same transaction.
 */
export function loadTasks(
  tx: Tx,
  plan: string,
  tasks: readonly PlanTask[],
  change: (plan: PlanRecord, before: readonly TaskRow[]) => PlanChange = (record) => ok(record),
): Result<{ readonly changed: readonly string[]; readonly removed: readonly string[] }, string> {
  const before = new Map(findTasks(tx.db, plan).map((row) => [row.task.id, row]));
  const gone = findPlan(tx.db, plan)?.removed ?? {};
  const known = (id: string): TaskRow | undefined =>
    before.get(id) ?? (Object.hasOwn(gone, id) ? gone[id] : undefined);
  const rows = tasks.map((task) => reloaded(known(task.id), task));
  const now = new Set(tasks.map(({ id }) => id));
  const removed = [...before.keys()].filter((id) => !now.has(id));
  const changed = rows.filter(({ task, state }) => before.get(task.id)?.state !== state);
  const busy = [...removed, ...changed.map(({ task }) => task.id)].find(
    (id) => before.get(id)?.state.at === 'running',
  );
  if (busy !== undefined) return err(`task ${busy} is being worked on and cannot be changed now`);
  const kept = [...before.values()].filter(({ task }) => !now.has(task.id)).map(retired);
  const left = Object.entries(gone).filter(([id]) => !now.has(id));
  const entries = [...left, ...kept.map((row) => [row.task.id, row] as const)];
  const saved = changePlan(tx, plan, (record) => {
    const next = change(record, [...before.values()]);
    if (!next.ok || entries.length + Object.keys(gone).length === 0) return next;
    return ok({ ...next.value, removed: Object.fromEntries(entries) });
  });
  if (!saved.ok) return saved;
  for (const id of removed) tx.db.run('delete from plan_tasks where plan = ? and id = ?', plan, id);
  const needs = new Map(serialised(tasks).nodes.map((node) => [node.id, node.needs]));
  for (const row of rows) saveTask(tx, plan, row, needs.get(row.task.id) ?? []);
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
  tx.db.run(
    'update plan_tasks set status = ?, state = ? where plan = ? and id = ?',
    next.state.at,
    encode(tx.db, plain(next.state)),
    plan,
    id,
  );
  addEvent(tx, executeRunId(plan), { type: 'task.changed', plan, task: id, state: changed.value.at });
  return ok(next);
}

/** What it waits for is kept beside it: the order of tasks that own one file is part of that, and only all tasks tell it. */
function saveTask({ db }: Tx, plan: string, { task, state }: TaskRow, needs: readonly string[]): void {
  db.run(
    `insert or replace into plan_tasks(plan, id, status, definition, state, name, needs, estimate)
     values(?, ?, ?, ?, ?, ?, ?, ?)`,
    plan,
    task.id,
    state.at,
    encodeWhole(db, plain(task)),
    encode(db, plain(state)),
    db.redactor.text(task.name),
    needs.join(' '),
    task.estimate_hours,
  );
}
