import { isObject, type Json } from '../lib/json.ts';
import { resolved } from './codec.ts';
import type { Database, Row } from './database.ts';
import { number, text, textOrNull } from './rows.ts';

/*
 * The rows of a run and of a launched turn, as files beside the database keep them: enough to find the turn again where
 * copies and changes do not reach. Values with a secret stay references to what is kept privately.
 */

export interface KeptRun {
  readonly run: Row;
  readonly budget: Row;
}

export interface KeptTurn {
  readonly entry: Row;
  readonly session: Row;
}

/** Changes when the run is amended. */
export function runMark(db: Database, runId: string): string {
  return text(db.get('select input from runs where id = ?', runId) ?? {}, 'input');
}

export function keptRun(db: Database, runId: string): KeptRun | null {
  const run = db.get('select * from runs where id = ?', runId);
  if (run === undefined) return null;
  const budget = db.get('select * from budgets where root = ?', runId) ?? {};
  return { run: { ...run, input: resolved(db, textOrNull(run, 'input')) }, budget };
}

export function keptTurn(db: Database, sessionId: string): KeptTurn | null {
  const session = db.get('select * from sessions where id = ?', sessionId);
  if (session === undefined) return null;
  const where = 'select * from entries where run = ? and key = ?';
  const entry = db.get(where, text(session, 'run'), text(session, 'key'));
  if (entry === undefined) return null;
  return { session, entry: { ...entry, spec: resolved(db, textOrNull(entry, 'spec')) } };
}

/** Null: the file holds something else. */
export function parseKeptRun(value: Json): KeptRun | null {
  const [run, budget] = isObject(value) ? [rowIn(value['run']), rowIn(value['budget'])] : [null, null];
  return run === null || budget === null ? null : { run, budget };
}

export function parseKeptTurn(value: Json): KeptTurn | null {
  const [entry, session] = isObject(value) ? [rowIn(value['entry']), rowIn(value['session'])] : [null, null];
  return entry === null || session === null ? null : { entry, session };
}

function rowIn(value: Json | undefined): Row | null {
  if (!isObject(value)) return null;
  const members = Object.entries(value).filter(
    (member): member is [string, string | number | null] =>
      typeof member[1] !== 'object' || member[1] === null,
  );
  return members.length === Object.keys(value).length ? Object.fromEntries(members) : null;
}

/** Puts a run back, as it was begun. */
export function putRunBack(db: Database, { run, budget }: KeptRun): void {
  const began = { state: 'running', reason: null, outcome: null, value: null, failure: null };
  const free = {
    epoch: 0,
    change: 0,
    parked: null,
    cancelled: 0,
    stopped_by: null,
    holder: null,
    ended_at: null,
  };
  insert(db, 'runs', { ...run, ...began, ...free });
  const unspent = { launches: 0, tokens: 0, cost: 0, unpriced: 0, reserved_tokens: 0, reserved_cost: 0 };
  const unworked = { work_ms: 0, work_since: null };
  if (Object.keys(budget).length > 0) insert(db, 'budgets', { ...budget, ...unspent, ...unworked });
}

/**
 * Puts a turn back as one that was launched, so that its end is read from its folder like that of any other. A turn that a
 * later attempt replaced is put back as lost.
 */
export function putTurnBack(db: Database, { entry, session }: KeptTurn): void {
  const [run, key, attempt] = [text(session, 'run'), text(session, 'key'), number(session, 'attempt')];
  const known = db.get('select attempt from entries where run = ? and key = ?', run, key);
  if (known !== undefined && number(known, 'attempt') > attempt) {
    insert(db, 'sessions', { ...session, status: 'FAILED', outcome: 'INTERRUPTED', lost: 1 });
    return;
  }
  const launched = { attempt, state: 'launched', outcome: null, body: null, ended_at: null, change: 0 };
  insert(db, 'entries', { ...entry, ...launched, session: text(session, 'id') });
  insert(db, 'sessions', session);
  const root = text(db.get('select root from runs where id = ?', run) ?? {}, 'root');
  insert(db, 'launches', { run, key, attempt, kind: 'session', root, tokens: 0, cost: 0 });
  db.run('update budgets set launches = launches + 1 where root in (?, ?)', run, root);
  db.run('update runs set change = change + 1, parked = null where id = ?', run);
}

/** Runs that were under way launch nothing until a person resumes them. Returns their ids. `ids` absent: all runs. */
export function haltRuns(
  db: Database,
  reason: string,
  ids: readonly string[] | null = null,
): readonly string[] {
  const halted = `update runs set state = 'halting', reason = ?, change = change + 1, parked = null
     where state = 'running' and cancelled = 0 and (? is null or id in (select value from json_each(?)))
     returning id`;
  const chosen = ids === null ? null : JSON.stringify(ids);
  return db.all(halted, reason, chosen, chosen).map((row) => text(row, 'id'));
}

/** The row may come from another format: columns that the table does not have are left out. */
function insert(db: Database, table: string, row: Row): void {
  const known = db.all('select name from pragma_table_info(?)', table).map((column) => text(column, 'name'));
  const names = known.filter((name) => Object.hasOwn(row, name));
  const places = names.map(() => '?').join(', ');
  db.run(
    `insert or replace into ${table}(${names.join(', ')}) values(${places})`,
    ...names.map((name) => row[name] ?? null),
  );
}
