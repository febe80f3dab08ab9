import { admission } from '../../model/admission.ts';
import { reserve, wallLeftMs, type Budget } from '../../model/budget.ts';
import { isLaunchable, type Entry } from '../../model/entry.ts';
import type { Admitted, Candidate, Fence, NewSession } from '../../model/ports/store.ts';
import type { Run } from '../../model/run.ts';
import {
  addEvent,
  findBudgets,
  findEntry,
  moveEntry,
  nextChange,
  ownRun,
  saveBudget,
  type Tx,
} from './tables.ts';

/**
 * The intent to launch: slot, budget and the entry's move are one transaction with whatever else is in it, so a crash
 * leaves either a launch that can be adopted or nothing at all.
 */
export function admit(tx: Tx, fence: Fence, candidates: readonly Candidate[], maxSessions: number): Admitted {
  const run = ownRun(tx, fence);
  const launched: Entry[] = [];
  const refused: string[] = [];
  const waiting: string[] = [];
  let full = false;
  const budgets = new Map(findBudgets(tx, run));
  let inRun = slotsOf(tx, run.id);
  let sessions = sessionSlots(tx);
  for (const candidate of candidates) {
    const entry = findEntry(tx, run.id, candidate.key);
    if (entry?.state.at !== 'open' || entry.attempt !== candidate.attempt || !isLaunchable(entry.kind))
      continue;
    // An earlier attempt that was dropped may still be dying: one key never has two processes.
    if (full || isHeld(tx, run.id, entry.key)) {
      waiting.push(entry.key);
      continue;
    }
    const decision = admission({
      run,
      kind: entry.kind,
      ask: candidate.ask,
      inRun,
      sessions,
      maxSessions,
      budgets: [...budgets.values()],
      now: tx.now,
    });
    if (decision.verdict === 'admit') {
      if (candidate.session !== null) {
        for (const [id, budget] of budgets) {
          const next = reserve(budget, candidate.ask);
          budgets.set(id, next);
          saveBudget(tx, id, next);
        }
      }
      launched.push(launch(tx, run, entry, candidate));
      inRun += 1;
      if (entry.kind === 'session') sessions += 1;
    } else if (decision.verdict === 'refuse') {
      const state = { at: 'failed', failure: decision.failure } as const;
      moveEntry(tx, run.id, entry.key, state, nextChange(tx, run.id));
      addEvent(tx, run.id, {
        type: 'step.ended',
        key: entry.key,
        kind: entry.kind,
        attempt: entry.attempt,
        state: 'failed',
        outcome: decision.failure.outcome,
        message: decision.failure.message,
      });
      refused.push(entry.key);
    } else {
      waiting.push(entry.key);
      full = decision.scope === 'run';
    }
  }
  return { launched, refused, waiting, wallEndsAt: wallEnd([...budgets.values()], tx.now) };
}

function launch(tx: Tx, run: Run, entry: Entry, { ask, session }: Candidate): Entry {
  const { key, attempt, kind } = entry;
  const sessionId = session === null ? null : insertSession(tx, run, entry, session);
  tx.db.run(
    'insert into launches(run, key, attempt, kind, root, tokens, cost) values(?, ?, ?, ?, ?, ?, ?)',
    run.id,
    key,
    attempt,
    kind,
    run.rootId,
    ask.tokens,
    ask.costUsd,
  );
  tx.db.run(
    `update entries set state = 'launched', session = ? where run = ? and key = ?`,
    sessionId,
    run.id,
    key,
  );
  addEvent(tx, run.id, { type: 'step.launched', key, kind, attempt, session: sessionId });
  return { ...entry, state: { at: 'launched' }, sessionId };
}

/** Two sessions of one agent in one second get different ids, because the id is taken inside the transaction. */
function insertSession(tx: Tx, run: Run, { key, attempt }: Entry, session: NewSession): string {
  let id = session.baseId;
  for (let n = 2; tx.db.get('select 1 from sessions where id = ?', id) !== undefined; n += 1) {
    id = `${session.baseId}-${n}`;
  }
  tx.db.run(
    `insert into sessions(id, run, key, attempt, agent, driver, tier, status, depth, turn, continues, created_at)
     values(?, ?, ?, ?, ?, ?, ?, 'CREATED', ?, ?, ?, ?)`,
    id,
    run.id,
    key,
    attempt,
    session.agent,
    session.driver,
    session.tier,
    run.depth + 1,
    session.turn,
    session.continues,
    tx.now,
  );
  return id;
}

function isHeld({ db }: Tx, runId: string, key: string): boolean {
  return db.get('select 1 from launches where run = ? and key = ?', runId, key) !== undefined;
}

function slotsOf({ db }: Tx, runId: string): number {
  return Number(db.get('select count(*) as n from launches where run = ?', runId)?.['n'] ?? 0);
}

function sessionSlots({ db }: Tx): number {
  return Number(db.get(`select count(*) as n from launches where kind = 'session'`)?.['n'] ?? 0);
}

function wallEnd(budgets: readonly Budget[], now: number): number | null {
  const left = budgets.flatMap((budget) => wallLeftMs(budget, now) ?? []);
  return left.length === 0 ? null : now + Math.min(...left);
}
