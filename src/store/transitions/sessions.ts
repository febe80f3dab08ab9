import { admission } from '../../model/admission.ts';
import { budgetOf, noReservation } from '../../model/budget.ts';
import type { Lease } from '../../model/lease.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { NewSession, SessionRequest, SessionStarted } from '../../model/ports/store.ts';
import { text } from '../rows.ts';
import { start } from './lifecycle.ts';
import { addEvent, assertKey, findBudget, findRun, releasePromises, type Tx } from './tables.ts';

interface SessionPlace {
  readonly id: string;
  readonly runId: string;
  readonly key: string;
  readonly attempt: number;
  readonly depth: number;
}

/**
 * A run that begins with a session. The same decision as for every launch, taken at once: a slot that is free now is kept
 * for it, so of twenty who ask at the same time no more are promised one than there are.
 */
export function startSession(
  tx: Tx,
  request: SessionRequest,
  maxSessions: number,
  lease?: Lease,
): SessionStarted {
  const { run, key, session, slot } = request;
  assertKey(key);
  const root = run.within === null ? null : findRun(tx, run.within);
  const decision = admission({
    run: { ...run, state: { at: 'running' }, cancelled: false },
    kind: 'session',
    ask: noReservation,
    inRun: 0,
    sessions: slot === 'now' ? sessionSlots(tx) : 0,
    maxSessions,
    budgets: [budgetOf(run.limits), ...(root === null ? [] : [findBudget(tx, root.rootId)])],
    now: tx.now,
  });
  if (decision.verdict === 'refuse') return { at: 'refused', failure: decision.failure };
  if (decision.verdict === 'wait') return { at: 'full', max: maxSessions };
  const id = freshSessionId(tx, session.baseId);
  start(tx, { ...run, id }, lease);
  insertSession(tx, { id, runId: id, key, attempt: 1, depth: run.depth + 1 }, session);
  if (slot === 'now') promiseSlot(tx, id, key);
  return { at: 'started', id };
}

/** Two sessions of one agent in one second get different ids, because the id is taken inside the transaction. */
export function freshSessionId({ db }: Tx, baseId: string): string {
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? baseId : `${baseId}-${n}`;
    const taken = db.get('select 1 from sessions where id = ? union select 1 from runs where id = ?', id, id);
    if (taken === undefined) return id;
  }
}

export function insertSession(tx: Tx, place: SessionPlace, session: NewSession): void {
  tx.db.run(
    `insert into sessions(id, run, key, attempt, agent, driver, tier, status, depth, turn, continues, host, parent,
       requester, tags, created_at, ordinal)
     values(?, ?, ?, ?, ?, ?, ?, 'CREATED', ?, ?, ?, ?, ?, ?, ?, ?, (select coalesce(max(ordinal), 0) + 1 from sessions))`,
    place.id,
    place.runId,
    place.key,
    place.attempt,
    session.agent,
    session.driver,
    session.tier,
    place.depth,
    session.turn,
    session.continues,
    session.host,
    session.parent,
    session.requester,
    tx.db.redactor.text(JSON.stringify(session.tags)),
    tx.now,
  );
  const { agent, requester } = session;
  addEvent(tx, place.runId, { type: 'session.created', session: place.id, agent, requester });
}

/** A session that was not started yet goes on with the conversation of another. False: it runs or has ended. */
export function continueSession(tx: Tx, id: string, continues: string): boolean {
  const changed = tx.db.get(
    `update sessions set continues = ? where id = ? and status = 'CREATED' returning id`,
    continues,
    id,
  );
  return changed !== undefined;
}

/** Slots of the whole project that are taken or promised. */
export function sessionSlots({ db }: Tx): number {
  return Number(db.get(`select count(*) as n from launches where kind = 'session'`)?.['n'] ?? 0);
}

function promiseSlot({ db }: Tx, id: string, key: string): void {
  db.run(
    `insert into launches(run, key, attempt, kind, root, tokens, cost)
     select id, ?, 0, 'session', root, 0, 0 from runs where id = ?`,
    key,
    id,
  );
}

/** Sessions that were created and never launched end with their run. */
export function endUnlaunched(tx: Tx, runId: string, outcome: Outcome): void {
  releasePromises(tx, runId);
  const status = outcome === 'INTERRUPTED' ? 'KILLED' : 'FAILED';
  const rows = tx.db.all(
    `update sessions set status = ?, outcome = ?, ended_at = ? where run = ? and status = 'CREATED' returning id`,
    status,
    outcome,
    tx.now,
    runId,
  );
  for (const row of rows) {
    const session = text(row, 'id');
    addEvent(tx, runId, { type: 'session.ended', session, from: 'CREATED', status, outcome, exitCode: null });
  }
}
