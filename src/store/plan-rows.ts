import { recorded } from '../lib/json.ts';
import type { PlanRecord } from '../model/plan/plan-record.ts';
import type { PlanTask } from '../model/plan/plan-task.ts';
import type { TaskRow } from '../model/plan/task-row.ts';
import type { TaskState } from '../model/plan/task-state.ts';
import type { PlanQueries, TaskCounts, TaskNode, TaskNodeState } from '../model/ports/plan-queries.ts';
import { decode } from './codec.ts';
import type { Database, Row } from './database.ts';
import { number, text } from './rows.ts';

export function findPlan(db: Database, name: string): PlanRecord | null {
  const row = db.get('select body from plans where name = ?', name);
  return row === undefined ? null : recorded<PlanRecord>(decode(db, text(row, 'body')));
}

function findTask(db: Database, plan: string, id: string): TaskRow | null {
  const row = db.get('select definition, state from plan_tasks where plan = ? and id = ?', plan, id);
  return row === undefined ? null : taskOf(db, row);
}

/** In the order of their ids. */
function findTasks(db: Database, plan: string): readonly TaskRow[] {
  return db
    .all('select definition, state from plan_tasks where plan = ? order by id', plan)
    .map((row) => taskOf(db, row));
}

function nodeOf(row: Row): TaskNode {
  const needs = text(row, 'needs');
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    at: recorded<TaskState['at']>(text(row, 'status')),
    needs: needs === '' ? [] : needs.split(' '),
    estimate: number(row, 'estimate'),
  };
}

function taskOf(db: Database, row: Row): TaskRow {
  return {
    task: recorded<PlanTask>(decode(db, text(row, 'definition'))),
    state: recorded<TaskState>(decode(db, text(row, 'state'))),
  };
}

/** What people and programs read of plans. */
export class SqlitePlanQueries implements PlanQueries {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async one(name: string): Promise<PlanRecord | null> {
    return findPlan(this.#db, name);
  }

  /** The one that changed last comes first. */
  async all(): Promise<readonly PlanRecord[]> {
    return this.#db
      .all('select body from plans order by updated_at desc, name')
      .map((row) => recorded<PlanRecord>(decode(this.#db, text(row, 'body'))));
  }

  async tasks(plan: string): Promise<readonly TaskRow[]> {
    return findTasks(this.#db, plan);
  }

  async task(plan: string, id: string): Promise<TaskRow | null> {
    return findTask(this.#db, plan, id);
  }

  /** In the order of their ids. What owns a file that another task owns too waits for it, said or not. */
  async nodes(plan: string): Promise<readonly TaskNode[]> {
    return this.#db
      .all('select id, name, status, needs, estimate from plan_tasks where plan = ? order by id', plan)
      .map(nodeOf);
  }

  /** The same with what became of each. */
  async states(plan: string): Promise<readonly TaskNodeState[]> {
    return this.#db
      .all('select id, name, status, needs, estimate, state from plan_tasks where plan = ? order by id', plan)
      .map((row) => ({
        ...nodeOf(row),
        state: recorded<TaskState>(decode(this.#db, text(row, 'state'))),
      }));
  }

  async node(plan: string, id: string): Promise<TaskNode | null> {
    const row = this.#db.get(
      'select id, name, status, needs, estimate from plan_tasks where plan = ? and id = ?',
      plan,
      id,
    );
    return row === undefined ? null : nodeOf(row);
  }

  async counts(plan: string): Promise<TaskCounts> {
    const rows = this.#db.all(
      'select status, count(*) as n from plan_tasks where plan = ? group by status',
      plan,
    );
    return Object.fromEntries(
      rows.map((row) => [recorded<TaskState['at']>(text(row, 'status')), number(row, 'n')]),
    );
  }
}
