import { admission } from '../../model/admission.ts';
import { median } from '../../lib/median.ts';
import { beginWork, reserve, wallEnd, type Budget, type Reservation } from '../../model/budget.ts';
import { isLaunchable, type Entry } from '../../model/entry.ts';
import type { Admitted, Candidate, Fence, NewSession } from '../../model/ports/store.ts';
import type { Run } from '../../model/run.ts';
import { text } from '../rows.ts';
import { freshSessionId, insertSession, sessionSlots } from './sessions.ts';
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
  const isLimited = [...budgets.values()].some(
    ({ limits }) => limits.tokens !== undefined || limits.costUsd !== undefined,
  );
  let inRun = slotsOf(tx, run.id);
  let sessions = sessionSlots(tx);
  for (const candidate of candidates) {
    const entry = findEntry(tx, run.id, candidate.key);
    if (entry?.state.at !== 'open' || entry.attempt !== candidate.attempt || !isLaunchable(entry.kind))
      continue;
    const held = heldBy(tx, run.id, entry.key);
    // An earlier attempt that was dropped may still be dying: one key never has two processes.
    if (full || held === 'process') {
      waiting.push(entry.key);
      continue;
    }
    const ask = candidate.session === null || !isLimited ? candidate.ask : expectedUse(tx, candidate);
    const decision = admission({
      run,
      kind: entry.kind,
      ask,
      inRun,
      sessions: held === 'promise' ? sessions - 1 : sessions,
      maxSessions,
      budgets: [...budgets.values()],
      now: tx.now,
    });
    if (decision.verdict === 'admit') {
      for (const [id, budget] of budgets) {
        const begun = beginWork(budget, tx.now);
        const next = candidate.session === null ? begun : reserve(begun, ask);
        if (next.workSince === budget.workSince && candidate.session === null) continue;
        budgets.set(id, next);
        saveBudget(tx, id, next);
      }
      launched.push(launch(tx, run, entry, { ...candidate, ask }));
      inRun += 1;
      if (entry.kind === 'session' && held === null) sessions += 1;
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
  return { launched, refused, waiting, wallEndsAt: firstWallEnd([...budgets.values()], tx.now) };
}

/** How many of an agent's last turns say what its next one may take. */
const lastTurns = 10;

/** What turns of this agent took before, on the same driver and tier; what the candidate asks for before the first one. */
function expectedUse({ db }: Tx, { session, ask }: Candidate): Reservation {
  if (session === null) return ask;
  const rows = db.all(
    `select input_tokens + output_tokens as tokens, cost_usd as cost from sessions
     where agent = ? and driver = ? and tier = ? and status in ('COMPLETED', 'FAILED', 'KILLED') and begun_at is not null
     order by ordinal desc limit ?`,
    session.agent,
    session.driver,
    session.tier,
    lastTurns,
  );
  if (rows.length === 0) return ask;
  const usual = (name: string): number => {
    const amounts = rows.map((row) => row[name]).filter((amount) => typeof amount === 'number');
    return median(amounts) ?? 0;
  };
  return { tokens: Math.ceil(usual('tokens')), costUsd: usual('cost') };
}

function launch(tx: Tx, run: Run, entry: Entry, { ask, session }: Candidate): Entry {
  const { key, attempt, kind } = entry;
  const sessionId = session === null ? null : sessionFor(tx, run, entry, session);
  tx.db.run(
    'insert or replace into launches(run, key, attempt, kind, root, tokens, cost) values(?, ?, ?, ?, ?, ?, ?)',
    run.id,
    key,
    attempt,
    kind,
    run.rootId,
    ask.tokens,
    ask.costUsd,
  );
  tx.db.run(
    `update entries set state = 'launched', session = ?, opened_at = ? where run = ? and key = ?`,
    sessionId,
    tx.now,
    run.id,
    key,
  );
  addEvent(tx, run.id, { type: 'step.launched', key, kind, attempt, session: sessionId });
  return { ...entry, state: { at: 'launched' }, sessionId, openedAt: tx.now };
}

/** The one that was created with its run, or a new one. */
function sessionFor(tx: Tx, run: Run, { key, attempt }: Entry, session: NewSession): string {
  const created = tx.db.get(
    `select id from sessions where run = ? and key = ? and attempt = ? and status = 'CREATED'`,
    run.id,
    key,
    attempt,
  );
  if (created !== undefined) return text(created, 'id');
  const id = freshSessionId(tx, session.baseId);
  insertSession(tx, { id, runId: run.id, key, attempt, depth: run.depth + 1 }, session);
  return id;
}

function heldBy({ db }: Tx, runId: string, key: string): 'process' | 'promise' | null {
  const row = db.get('select attempt from launches where run = ? and key = ?', runId, key);
  if (row === undefined) return null;
  return row['attempt'] === 0 ? 'promise' : 'process';
}

function slotsOf({ db }: Tx, runId: string): number {
  const row = db.get('select count(*) as n from launches where run = ? and attempt > 0', runId);
  return Number(row?.['n'] ?? 0);
}

function firstWallEnd(budgets: readonly Budget[], now: number): number | null {
  const ends = budgets.flatMap((budget) => wallEnd(budget, now) ?? []);
  return ends.length === 0 ? null : Math.min(...ends);
}
