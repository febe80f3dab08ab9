import { type Json, plain, recorded } from '../../lib/json.ts';
import type { Budget } from '../../model/budget.ts';
import type { Entry, EntryState } from '../../model/entry.ts';
import { outcomeOfState } from '../../model/entry.ts';
import type { DecisionEvent, EmittedEvent, Event } from '../../model/event.ts';
import type { Run } from '../../model/run.ts';
import { faultOfKey } from '../../model/key.ts';
import { Fenced, type Fence, InvalidKey } from '../../model/ports/store.ts';
import { encode, encodeWhole } from '../codec.ts';
import type { Database } from '../database.ts';
import { entryColumns, entryOf } from '../entry-columns.ts';
import { budgetOfRow, text } from '../rows.ts';
import { runColumns, runOf } from '../run-columns.ts';

/** What every transition works on: the tables, and one reading of the clock. */
export interface Tx {
  readonly db: Database;
  readonly now: number;
}

export function findRun({ db }: Tx, id: string): Run | null {
  const [found] = db.lists(`select ${runColumns} from runs where id = ?`, id);
  return found === undefined ? null : runOf(db, found);
}

/** The run, if this process still has the claim. Checked before the first write of every fenced transition. */
export function ownRun(tx: Tx, { runId, epoch }: Fence): Run {
  const run = findRun(tx, runId);
  if (run === null || run.epoch !== epoch || run.state.at === 'ended' || run.state.at === 'halted') {
    throw new Fenced(`the claim ${epoch} on run ${runId} is no longer valid`);
  }
  return run;
}

/** The same without reading the run: for the hot path. */
export function assertOwn({ db }: Tx, { runId, epoch }: Fence): void {
  const row = db.get('select epoch, state from runs where id = ?', runId);
  if (row?.['epoch'] !== epoch || row['state'] === 'ended' || row['state'] === 'halted') {
    throw new Fenced(`the claim ${epoch} on run ${runId} is no longer valid`);
  }
}

export function findEntry({ db }: Tx, runId: string, key: string): Entry | undefined {
  const [found] = db.lists(`select ${entryColumns} from entries where run = ? and key = ?`, runId, key);
  return found === undefined ? undefined : entryOf(db, found);
}

/** Called wherever a key comes into the store. */
export function assertKey(key: string): void {
  const fault = faultOfKey(key);
  if (fault !== null) throw new InvalidKey(fault);
}

/** Numbers the next change of a run that comes from outside its holder. */
export function nextChange({ db }: Tx, runId: string): number {
  return Number(
    db.get('update runs set change = change + 1 where id = ? returning change', runId)?.['change'] ?? 0,
  );
}

/** The place of an entry that is opened now among those of its run, whose id is the parameter. */
export const nextOrdinal = '(select coalesce(max(ordinal), 0) + 1 from entries where run = ?)';

/**
 * Moves an existing entry; `change` 0 keeps it out of the holder's news, because the holder did it itself. `endedAt`: when its
 * work ended, where that is known to be earlier than the record of it. What is reopened has ended before.
 */
export function moveEntry(
  tx: Tx,
  runId: string,
  key: string,
  state: EntryState,
  change: number,
  endedAt: number = tx.now,
): void {
  tx.db.run(
    `update entries set state = ?, outcome = ?, body = ?, change = ?,
       ended_at = case ? when 'ended' then max(opened_at, ?) when 'kept' then coalesce(ended_at, opened_at) end
     where run = ? and key = ?`,
    state.at,
    outcomeOfState(state),
    bodyOf(tx, state),
    change,
    endOf(state),
    Math.min(tx.now, endedAt),
    runId,
    key,
  );
}

/** What a state says of the time at which the entry ended. */
function endOf({ at }: EntryState): 'none' | 'ended' | 'kept' {
  if (at === 'reopened') return 'kept';
  return at === 'open' || at === 'launched' || at === 'retrying' ? 'none' : 'ended';
}

/** A slot that was promised to a session of this run is given back. */
export function releasePromises({ db }: Tx, runId: string): void {
  db.run('delete from launches where run = ? and attempt = 0', runId);
}

/** What came from outside, without its secrets: whoever reads it later reads what was recorded. */
function bodyOf({ db }: Tx, state: EntryState): string | null {
  const body = contentOf(state);
  return body === undefined ? null : encode(db, body);
}

/** What workflow code made itself must be the same when it is replayed. */
export function wholeBodyOf({ db }: Tx, state: EntryState): string | null {
  const body = contentOf(state);
  return body === undefined ? null : encodeWhole(db, body);
}

function contentOf(state: EntryState): Json | undefined {
  switch (state.at) {
    case 'done':
      return state.value;
    case 'failed':
    case 'retrying':
      return plain(state.failure);
    case 'open':
    case 'launched':
    case 'lost':
    case 'dropped':
    case 'reopened':
      return undefined;
  }
}

export function addEvent({ db, now }: Tx, runId: string, event: Event): void {
  const { type, ...told } = event;
  const raw = JSON.stringify(told);
  const clean = db.redactor.text(raw);
  const body =
    clean === raw ? raw : JSON.stringify({ ...recorded<object>(JSON.parse(clean)), ...idsOf(event) });
  db.run('insert into events(at, run, type, body) values(?, ?, ?, ?)', now, runId, type, body);
}

/** A decision that counts, in the transaction that makes it count. */
export function addDecision(tx: Tx, made: DecisionEvent | undefined): void {
  if (made !== undefined) addEvent(tx, '', made);
}

/** What others find an event by stays as it is, whatever it looks like. */
function idsOf(event: Event): object {
  return {
    ...('key' in event ? { key: event.key } : {}),
    ...('session' in event ? { session: event.session } : {}),
  };
}

/** Told once per key, however often the workflow is replayed. */
export function addEmitted({ db, now }: Tx, runId: string, emitted: readonly EmittedEvent[]): void {
  for (const { key, name, data } of emitted) {
    assertKey(key);
    db.run(
      `insert or ignore into events(at, run, emitted, type, body) values(?, ?, ?, 'note', ?)`,
      now,
      runId,
      key,
      db.redactor.text(JSON.stringify({ name, data })),
    );
  }
}

/** A nested run may be tighter than the run it was started in, never looser: both pay, also for its children. */
export function findBudgets({ db }: Tx, run: Pick<Run, 'id' | 'rootId'>): ReadonlyMap<string, Budget> {
  const rows = db.all(
    `with recursive above(id, parent) as (
       select id, parent_run from runs where id = ?
       union all select r.id, r.parent_run from runs r join above on r.id = above.parent)
     select * from budgets where root = ? or root in (select id from above)`,
    run.id,
    run.rootId,
  );
  return new Map(rows.map((row) => [text(row, 'root'), budgetOfRow(row)]));
}

export function findBudget({ db }: Tx, rootId: string): Budget {
  const row = db.get('select * from budgets where root = ?', rootId);
  if (row === undefined) throw new Error(`run ${rootId} has no budget`);
  return budgetOfRow(row);
}

export function saveBudget({ db }: Tx, rootId: string, { spent, reserved, workMs, workSince }: Budget): void {
  db.run(
    `update budgets set launches = ?, tokens = ?, cost = ?, unpriced = ?, reserved_tokens = ?, reserved_cost = ?,
       work_ms = ?, work_since = ? where root = ?`,
    spent.launches,
    spent.tokens,
    spent.costUsd,
    spent.unpriced,
    reserved.tokens,
    reserved.costUsd,
    workMs,
    workSince,
    rootId,
  );
}
