import type { Json } from '../../lib/json.ts';
import { isWaiting } from '../../model/entry.ts';
import type { Changer, Lease } from '../../model/lease.ts';
import { isByPerson, rests, type Run } from '../../model/run.ts';
import type {
  Amended,
  Fence,
  Held,
  NewRun,
  Reopened,
  RunResumed,
  SeenEntry,
} from '../../model/ports/store.ts';
import { stepIdOf } from '../../model/key.ts';
import { encodeWholeInRun } from '../codec.ts';
import { text } from '../rows.ts';
import { otherHolder, renew } from './claim.ts';
import { addEvent, findRun, moveEntry, nextChange, ownRun, releasePromises, type Tx } from './tables.ts';

interface RunRow
  extends Pick<Run, 'id' | 'workflow' | 'concurrency' | 'depth' | 'traceId' | 'rootId' | 'parent'> {
  readonly input: Json;
}

export function insertRun(tx: Tx, run: RunRow): void {
  tx.db.run(
    `insert into runs(id, workflow, input, state, root, parent_run, parent_key, depth, trace, concurrency, started_at,
       ordinal)
     values(?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, (select coalesce(max(ordinal), 0) + 1 from runs))`,
    run.id,
    run.workflow,
    encodeWholeInRun(tx.db, run.input),
    run.rootId,
    run.parent?.runId ?? null,
    run.parent?.key ?? null,
    run.depth,
    run.traceId,
    run.concurrency,
    tx.now,
  );
  addEvent(tx, run.id, { type: 'run.started', workflow: run.workflow });
}

export function start(tx: Tx, run: NewRun, lease?: Lease): 'started' | 'exists' {
  if (findRun(tx, run.id) !== null) return 'exists';
  const rootId = run.within === null ? run.id : (findRun(tx, run.within)?.rootId ?? run.id);
  insertRun(tx, { ...run, rootId, parent: null });
  hold(tx, run.id, lease);
  // An answer may have come before its run: the run must see it as news.
  const early = tx.db.get('select count(*) as n from entries where run = ?', run.id);
  if (Number(early?.['n'] ?? 0) > 0) nextChange(tx, run.id);
  tx.db.run(
    `insert into budgets(root, limits, launches, tokens, cost, unpriced, reserved_tokens, reserved_cost, started_at)
     values(?, ?, 0, 0, 0, 0, 0, 0, ?)`,
    run.id,
    JSON.stringify(run.limits),
    tx.now,
  );
  return 'started';
}

/** A new plan for the same run: everything whose key it still uses keeps its result. */
export function amend(
  tx: Tx,
  runId: string,
  next: Pick<NewRun, 'input' | 'concurrency' | 'limits'>,
  by?: Changer,
): Amended {
  const run = required(tx, runId);
  const lease = leaseOf(tx, run, by);
  if (isRefusal(lease)) return lease;
  tx.db.run(
    'update runs set input = ?, concurrency = ? where id = ?',
    encodeWholeInRun(tx.db, next.input),
    next.concurrency,
    runId,
  );
  tx.db.run('update budgets set limits = ? where root = ?', JSON.stringify(next.limits), runId);
  backToRunning(tx, run);
  hold(tx, runId, lease);
  addEvent(tx, runId, { type: 'run.amended' });
  return { at: 'amended' };
}

export function reopen(tx: Tx, runId: string, seen: readonly SeenEntry[], by?: Changer): Reopened {
  const run = required(tx, runId);
  const lease = leaseOf(tx, run, by);
  if (isRefusal(lease)) return lease;
  if (!seen.every((entry) => isAsSeen(tx, runId, entry))) return { at: 'changed' };
  const keys = seen.map(({ key }) => key);
  if (keys.length === 0) return { at: 'reopened', keys };
  for (const key of keys) moveEntry(tx, runId, key, { at: 'reopened' }, 0);
  backToRunning(tx, run);
  hold(tx, runId, lease);
  addEvent(tx, runId, { type: 'run.reopened', steps: [...new Set(keys.map(stepIdOf))] });
  return { at: 'reopened', keys };
}

function isAsSeen({ db }: Tx, runId: string, { key, attempt, at }: SeenEntry): boolean {
  if (isWaiting({ at })) return false;
  const row = db.get('select attempt, state from entries where run = ? and key = ?', runId, key);
  return row?.['attempt'] === attempt && row['state'] === at;
}

/** Nothing new is launched; what is under way may finish. */
export function halt(tx: Tx, runId: string, reason: string, by: string | null = null): boolean {
  const run = required(tx, runId);
  noteStopper(tx, run, by);
  // A run that is being stopped launches nothing either, and must come to its end.
  if (run.state.at !== 'running' || run.cancelled) return false;
  tx.db.run(`update runs set state = 'halting', reason = ? where id = ?`, tx.db.redactor.text(reason), runId);
  nextChange(tx, runId);
  addEvent(tx, runId, { type: 'run.halting', reason });
  for (const id of below(tx, runId)) halt(tx, id, reason, by);
  return true;
}

export function settleHalt(tx: Tx, fence: Fence): boolean {
  const run = ownRun(tx, fence);
  if (run.state.at !== 'halting') return false;
  const { runId } = fence;
  if (tx.db.get('select 1 from launches where run = ? and attempt > 0', runId) !== undefined) return false;
  const draining = `select 1 from runs where parent_run = ? and state in ('running', 'halting')`;
  if (tx.db.get(draining, runId) !== undefined) return false;
  releasePromises(tx, runId);
  tx.db.run(`update runs set state = 'halted', holder = null, ended_at = ? where id = ?`, tx.now, runId);
  addEvent(tx, runId, { type: 'run.halted' });
  return true;
}

/** Back from a halt or a stop. A run that ended by itself is not resumed: its failed steps are reopened. */
export function resume(tx: Tx, runId: string, by?: Changer): RunResumed {
  const run = required(tx, runId);
  const lease = leaseOf(tx, run, by);
  if (isRefusal(lease)) return lease;
  const stopped = run.state.at === 'ended' && run.state.outcome === 'INTERRUPTED';
  if (run.state.at === 'running') hold(tx, runId, lease);
  if (run.state.at === 'running' || (run.state.at === 'ended' && !stopped)) return { at: 'unchanged' };
  backToRunning(tx, run);
  hold(tx, runId, lease);
  addEvent(tx, runId, { type: 'run.resumed' });
  return { at: 'resumed' };
}

/**
 * Stops the run and everything below it; drivers learn it as news and end what they launched. `at`: when nothing of it was
 * alive any more, where the stop is recorded later: the run has ended then.
 */
export function cancel(tx: Tx, runId: string, by: string | null = null, at?: number): boolean {
  const run = required(tx, runId);
  noteStopper(tx, run, by);
  tx.db.run('update runs set stops = stops + 1 where id = ?', runId);
  if (run.state.at === 'ended' || run.cancelled) return false;
  // A halted run has no process that runs its clean-up, so it is put back for its next holder to end it.
  const endedAt = at === undefined ? null : Math.max(run.startedAt, Math.min(tx.now, at));
  tx.db.run(`update runs set cancelled = 1, state = 'running', ended_at = ? where id = ?`, endedAt, runId);
  nextChange(tx, runId);
  addEvent(tx, runId, { type: 'run.cancelled' });
  for (const id of below(tx, runId)) cancel(tx, id, by, at);
  return true;
}

/** For a command that continues one of them and began before: what has ended is not stopped again. */
export function cancelEnded({ db }: Tx): void {
  db.run(`update runs set stops = stops + 1 where state = 'ended'`);
}

/** The first one who halts or stops a run is remembered, and a person in place of an agent. */
function noteStopper({ db }: Tx, run: Run, by: string | null): void {
  if (rests(run) ? isByPerson(run.stoppedBy) || !isByPerson(by) : run.state.at === 'ended') return;
  db.run('update runs set stopped_by = ? where id = ?', by, run.id);
}

/** Its children, and the runs that its sessions started, which live on its budget. */
function below({ db }: Tx, runId: string): readonly string[] {
  const rows = db.all(
    'select id from runs where parent_run = ? or (root = ? and id <> ?)',
    runId,
    runId,
    runId,
  );
  return rows.map((row) => text(row, 'id'));
}

/** Raising the epoch fences the process that advances the old state of affairs. */
export function backToRunning(tx: Tx, run: Run): void {
  tx.db.run(
    `update runs set state = 'running', reason = null, outcome = null, value = null, failure = null, cancelled = 0,
       stopped_by = null, epoch = epoch + 1, parked = null, ended_at = null where id = ?`,
    run.id,
  );
  nextChange(tx, run.id);
  // Children that were stopped go on when their parent opens them again; halted ones wait for nothing but this.
  for (const id of below(tx, run.id)) {
    const one = required(tx, id);
    if (one.state.at === 'halting' || one.state.at === 'halted') backToRunning(tx, one);
  }
}

type ChangeRefusal = Held | { readonly at: 'stopped' };

/**
 * What the changer holds the run with after the change; undefined: the holder stays as it is. Or why it may not change the run:
 * another process holds it and does not share it, or it was stopped meanwhile.
 */
function leaseOf(
  tx: Tx,
  { id, state, cancelled, stops }: Run,
  by: Changer | undefined,
): Lease | ChangeRefusal | undefined {
  if (by === undefined) return undefined;
  const isAtRest = cancelled || state.at === 'ended';
  if (isAtRest && by.sawStops !== undefined && stops > by.sawStops) return { at: 'stopped' };
  const other = otherHolder(tx, id, by);
  if (other !== null && other.id !== by.beside) return { at: 'held', by: other };
  return other !== null || by.until === null ? undefined : { holder: by.me, until: by.until };
}

function isRefusal(lease: Lease | ChangeRefusal | undefined): lease is ChangeRefusal {
  return lease !== undefined && 'at' in lease;
}

/** Makes the process that changes the run its holder; it claims the run next. Without a lease the holder stays as it is. */
function hold(tx: Tx, runId: string, lease: Lease | undefined): void {
  if (lease === undefined) return;
  renew(tx, lease.holder, lease.until);
  tx.db.run('update runs set holder = ? where id = ?', lease.holder.id, runId);
}

function required(tx: Tx, runId: string): Run {
  const run = findRun(tx, runId);
  if (run === null) throw new Error(`there is no run ${runId}`);
  return run;
}
