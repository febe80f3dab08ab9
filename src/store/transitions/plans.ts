import { plain } from '../../lib/json.ts';
import { isAtLeast, type PlanPhase } from '../../model/plan/phase.ts';
import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { serialised } from '../../model/plan/serialise.ts';
import { executeRunId, planOfRunId, planRunId, type TaskRow } from '../../model/plan/task-row.ts';
import type { PlanWrite, PlanWritten, VersionedPlan } from '../../model/ports/plan-store.ts';
import { encode, encodeWhole } from '../codec.ts';
import { findPlan } from '../plan-rows.ts';
import { number, text } from '../rows.ts';
import { addDecision, addEvent, type Tx } from './tables.ts';

/** Plans and their tasks change here only, each time with the version that the change was decided from: ten agents at once lose nothing. */

export function createPlan(tx: Tx, plan: PlanRecord): 'created' | 'exists' {
  if (findPlan(tx.db, plan.name) !== null) return 'exists';
  savePlan(tx, plan, null);
  return 'created';
}

export function readPlan({ db }: Tx, name: string): VersionedPlan | null {
  const plan = findPlan(db, name);
  return plan === null ? null : { version: versionOf(db, name), plan };
}

/** Nothing is written where the plan is not of this version any more, or is gone. */
export function writePlan(
  tx: Tx,
  name: string,
  version: number,
  { plan, task, tasks, made }: PlanWrite,
): PlanWritten {
  const before = findPlan(tx.db, name);
  if (before === null || versionOf(tx.db, name) !== version) return { at: 'changed' };
  const next = plan === undefined ? before : { ...plan, updatedAt: tx.now };
  if (plan !== undefined) savePlan(tx, next, before.phase);
  if (tasks !== undefined) saveTasks(tx, name, tasks);
  if (task !== undefined) moveTask(tx, name, task);
  tx.db.run('update plans set version = ? where name = ?', version + 1, name);
  addDecision(tx, made);
  return { at: 'written', plan: next };
}

/** What the run that plans it asks and is answered is decided from as well: whoever read the plan before decides again. */
export function touchPlanOf({ db }: Tx, runId: string): void {
  const plan = planOfRunId(runId);
  if (planRunId(plan) === runId) db.run('update plans set version = version + 1 where name = ?', plan);
}

function versionOf(db: Tx['db'], name: string): number {
  return number(db.get('select version from plans where name = ?', name) ?? {}, 'version');
}

function savePlan(tx: Tx, plan: PlanRecord, before: PlanPhase | null): void {
  tx.db.run(
    `insert into plans(name, phase, body, updated_at) values(?, ?, ?, ?)
     on conflict(name) do update set phase = excluded.phase, body = excluded.body, updated_at = excluded.updated_at`,
    plan.name,
    plan.phase,
    encode(tx.db, plain(plan)),
    plan.updatedAt,
  );
  if (plan.phase === before) return;
  const runId = isAtLeast(plan.phase, 'executing') ? executeRunId(plan.name) : planRunId(plan.name);
  addEvent(tx, runId, { type: 'plan.changed', plan: plan.name, phase: plan.phase });
}

function saveTasks(tx: Tx, plan: string, rows: readonly TaskRow[]): void {
  const now = new Set(rows.map(({ task }) => task.id));
  for (const row of tx.db.all('select id from plan_tasks where plan = ?', plan)) {
    const id = text(row, 'id');
    if (!now.has(id)) tx.db.run('delete from plan_tasks where plan = ? and id = ?', plan, id);
  }
  const needs = new Map(serialised(rows.map(({ task }) => task)).nodes.map((node) => [node.id, node.needs]));
  for (const row of rows) saveTask(tx, plan, row, needs.get(row.task.id) ?? []);
}

function moveTask(tx: Tx, plan: string, { id, state }: NonNullable<PlanWrite['task']>): void {
  tx.db.run(
    'update plan_tasks set status = ?, state = ? where plan = ? and id = ?',
    state.at,
    encode(tx.db, plain(state)),
    plan,
    id,
  );
  addEvent(tx, executeRunId(plan), { type: 'task.changed', plan, task: id, state: state.at });
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
