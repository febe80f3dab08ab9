import { isObject, plain, recorded } from '../../lib/json.ts';
import { noReservation, pauseWork, settle, takeBack, type Reservation } from '../../model/budget.ts';
import {
  acceptsCompletion,
  isLaunchable,
  isWaiting,
  outcomeOfState,
  type Completion,
  type Entry,
} from '../../model/entry.ts';
import type { EmittedEvent } from '../../model/event.ts';
import { type OperationArgs, readOperation } from '../../model/operations.ts';
import { childRunId, type AttemptRef } from '../../model/key.ts';
import { messageOf } from '../../model/message.ts';
import type { Fence, RunEnd } from '../../model/ports/store.ts';
import type { Run } from '../../model/run.ts';
import type { Session, SessionEnd, SessionStatus } from '../../model/session.ts';
import { hasSpent, unknownUsage } from '../../model/usage.ts';
import { encodeInRun } from '../codec.ts';
import { number, text } from '../rows.ts';
import { cancel } from './lifecycle.ts';
import { closeQuestionsOf } from './session-questions.ts';
import { endUnlaunched } from './sessions.ts';
import {
  addEmitted,
  addEvent,
  findBudgets,
  findEntry,
  moveEntry,
  nextChange,
  ownRun,
  saveBudget,
  type Tx,
} from './tables.ts';

export function begin(tx: Tx, { runId, key, attempt }: AttemptRef): boolean {
  const row = tx.db.get(
    `update sessions set status = 'RUNNING', begun_at = ?
     where run = ? and key = ? and attempt = ? and status = 'CREATED' returning id`,
    tx.now,
    runId,
    key,
    attempt,
  );
  if (row !== undefined) addEvent(tx, runId, { type: 'session.began', session: text(row, 'id') });
  return row !== undefined;
}

/** The end of an attempt. Refused (false) when another attempt is current or nobody waits; its cost counts anyway. */
export function complete(
  tx: Tx,
  ref: AttemptRef,
  completion: Completion,
  session: SessionEnd | null,
  endedAt: number | undefined = session?.endedAt,
): boolean {
  const entry = findEntry(tx, ref.runId, ref.key);
  const accepted = entry !== undefined && acceptsCompletion(entry, ref.attempt);
  const held = release(tx, ref);
  if (held !== null)
    pauseIdle(tx, { id: ref.runId, rootId: held.rootId }, Math.min(tx.now, endedAt ?? tx.now));
  if (session !== null || held?.kind === 'session')
    endSession(tx, ref, { ...(session ?? vanished), lost: completion.at === 'lost' }, held ?? noReservation);
  if (!accepted) return false;
  moveEntry(tx, ref.runId, ref.key, completion, nextChange(tx, ref.runId), endedAt);
  if (completion.at === 'lost') {
    tx.db.run('update entries set losses = losses + 1 where run = ? and key = ?', ref.runId, ref.key);
  }
  if (entry.kind !== 'sleep') endedEvent(tx, ref.runId, entry, completion);
  return true;
}

/** Nobody waits for these any more. Their processes are ended afterwards; that end gives back the slot and settles. */
export function drop(tx: Tx, fence: Fence, keys: readonly string[]): void {
  const { cancelled } = ownRun(tx, fence);
  const { runId } = fence;
  for (const key of keys) {
    const entry = findEntry(tx, runId, key);
    if (entry === undefined || !isWaiting(entry.state)) continue;
    // A stop ends nothing that has not begun: it waits until the run is resumed.
    if (cancelled && !hasBegun(tx, runId, entry)) continue;
    dropEntry(tx, runId, entry);
  }
}

function dropEntry(tx: Tx, runId: string, entry: Entry): void {
  const { key, kind } = entry;
  // What was never launched took no time.
  const endedAt = isLaunchable(kind) && entry.state.at === 'open' ? entry.openedAt : tx.now;
  moveEntry(tx, runId, key, { at: 'dropped' }, 0, endedAt);
  if (kind === 'child') cancel(tx, childRunId(runId, key));
  if (kind === 'ask') tx.db.run('update questions set closed = 1 where run = ? and key = ?', runId, key);
  if (kind !== 'sleep') endedEvent(tx, runId, entry, { at: 'dropped' });
}

/** Only open questions; raising the epoch fences a process that still waits for an answer. */
export function withdraw(tx: Tx, runId: string, keys: readonly string[]): readonly string[] {
  const open = keys.flatMap((key) => {
    const entry = findEntry(tx, runId, key);
    return entry?.kind === 'ask' && entry.state.at === 'open' ? [entry] : [];
  });
  if (open.length === 0) return [];
  for (const entry of open) dropEntry(tx, runId, entry);
  nextChange(tx, runId);
  tx.db.run(`update runs set epoch = epoch + 1, parked = null where id = ? and state = 'running'`, runId);
  return open.map(({ key }) => key);
}

/** Whether there is something to end: a process, a child, a question, or a session that was created for it. */
function hasBegun({ db }: Tx, runId: string, { key, kind, attempt, state }: Entry): boolean {
  if (!isLaunchable(kind) || state.at === 'launched') return true;
  const created = 'select 1 from sessions where run = ? and key = ? and attempt = ?';
  return db.get(created, runId, key, attempt) !== undefined;
}

export function finish(tx: Tx, fence: Fence, end: RunEnd, emitted: readonly EmittedEvent[]): void {
  const run = ownRun(tx, fence);
  endUnlaunched(tx, run.id, end.outcome);
  tx.db.run(
    `update runs set state = 'ended', outcome = ?, value = ?, failure = ?, holder = null,
       ended_at = case when cancelled = 1 and ended_at is not null then ended_at else ? end where id = ?`,
    end.outcome,
    encodeInRun(tx.db, end.value),
    encodeInRun(tx.db, plain(end.failure)),
    tx.now,
    run.id,
  );
  addEmitted(tx, run.id, emitted);
  addEvent(tx, run.id, { type: 'run.ended', outcome: end.outcome, message: end.failure?.message ?? null });
  if (run.parent === null) return;
  const entry = findEntry(tx, run.parent.runId, run.parent.key);
  if (entry === undefined) return;
  complete(tx, { ...run.parent, attempt: entry.attempt }, completionOfChild(end), null);
}

/** However it ended: what that means for its parent is for the parent to decide. */
function completionOfChild(end: RunEnd): Completion {
  return { at: 'done', outcome: end.outcome, value: plain(end) };
}

/** Gives the slot back and says what was reserved with it; null if this attempt holds none. */
function release(
  tx: Tx,
  { runId, key, attempt }: AttemptRef,
): (Reservation & { readonly kind: string; readonly rootId: string }) | null {
  const row = tx.db.get(
    'delete from launches where run = ? and key = ? and attempt = ? returning kind, root, tokens, cost',
    runId,
    key,
    attempt,
  );
  if (row === undefined) return null;
  return {
    kind: text(row, 'kind'),
    rootId: text(row, 'root'),
    tokens: number(row, 'tokens'),
    costUsd: number(row, 'cost'),
  };
}

/** Nothing that lives on these budgets is under way any more: their time at work stands still. */
function pauseIdle(tx: Tx, run: Pick<Run, 'id' | 'rootId'>, at: number): void {
  const launched = `select 1 from launches where attempt > 0 and (root = ? or run in (
    with recursive below(id) as (
      select ? union all select r.id from runs r join below on r.parent_run = below.id) select id from below))`;
  for (const [id, budget] of findBudgets(tx, run))
    if (tx.db.get(launched, id, id) === undefined) saveBudget(tx, id, pauseWork(budget, at));
}

/** Its process left no account of itself. */
const vanished: SessionEnd = { status: 'FAILED', exitCode: null, outcome: 'FAILURE', usage: unknownUsage };

function endSession(
  tx: Tx,
  ref: AttemptRef,
  end: SessionEnd & Pick<Session, 'lost'>,
  held: Reservation,
): void {
  const { runId, key, attempt } = ref;
  const row = tx.db.get(
    `select s.id, s.status, s.begun_at, r.root from sessions s join runs r on r.id = s.run
     where s.run = ? and s.key = ? and s.attempt = ? and s.status in ('CREATED', 'RUNNING')`,
    runId,
    key,
    attempt,
  );
  // Also from CREATED: whoever saw it run may have died before saying so.
  if (row === undefined) return;
  const session = text(row, 'id');
  const begunAt = end.startedAt === undefined ? null : Math.min(tx.now, end.startedAt);
  tx.db.run(
    `update sessions set status = ?, begun_at = coalesce(?, begun_at),
       ended_at = max(coalesce(?, begun_at, created_at), ?), exit_code = ?, outcome = ?, input_tokens = ?, output_tokens = ?,
       cost_usd = ?, priced_as_of = ?, cached_input_tokens = ?, model = ?, lost = ? where id = ?`,
    end.status,
    begunAt,
    begunAt,
    Math.min(tx.now, end.endedAt ?? tx.now),
    end.exitCode,
    end.outcome,
    end.usage.inputTokens,
    end.usage.outputTokens,
    end.usage.costUsd,
    end.usage.pricedAsOf ?? null,
    end.usage.cachedInputTokens ?? null,
    end.model ?? null,
    end.lost ? 1 : 0,
    session,
  );
  closeQuestionsOf(tx, session);
  const { status, outcome, exitCode } = end;
  const from = recorded<SessionStatus>(row['status']);
  addEvent(tx, runId, { type: 'session.ended', session, from, status, outcome, exitCode });
  const budgets = findBudgets(tx, { id: runId, rootId: text(row, 'root') });
  const ran = row['begun_at'] !== null || begunAt !== null || hasSpent(end.usage);
  for (const [id, budget] of budgets)
    saveBudget(tx, id, ran ? settle(budget, held, end.usage) : takeBack(budget, held));
}

function endedEvent(tx: Tx, runId: string, entry: Entry, completion: Completion): void {
  const { key, kind, attempt } = entry;
  const outcome = outcomeOfState(completion) ?? 'FAILURE';
  const message = messageOf(completion);
  const asks = kind === 'session' && outcome === 'HUMAN_INPUT' && hasQuestions(completion);
  const ended = { key, kind, attempt, state: completion.at, outcome, message };
  const gated = outcome === 'SUCCESS' && isGated(entry);
  const more = { ...(asks ? { asks } : {}), ...(gated ? { gated } : {}) };
  addEvent(tx, runId, { type: 'step.ended', ...ended, ...more });
}

function isGated({ kind, spec }: Entry): boolean {
  if (kind !== 'task') return false;
  const { name, args } = readOperation(spec);
  return name === 'command' && recorded<OperationArgs<'command'>>(args).gated === true;
}

function hasQuestions(completion: Completion): boolean {
  const value = completion.at === 'done' ? completion.value : null;
  const result = isObject(value) ? value['result'] : null;
  const questions = isObject(result) ? result['questions'] : null;
  return Array.isArray(questions) && questions.length > 0;
}
