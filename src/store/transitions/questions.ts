import { isObject, plain, type Json } from '../../lib/json.ts';
import type { DecisionEvent } from '../../model/event.ts';
import type { Answer } from '../../model/question.ts';
import { encode } from '../codec.ts';
import { touchPlanOf } from './plans.ts';
import {
  addDecision,
  addEvent,
  assertKey,
  findEntry,
  findRun,
  moveEntry,
  nextChange,
  nextOrdinal,
  type Tx,
} from './tables.ts';

export function noteQuestion(tx: Tx, runId: string, key: string, question: Json): void {
  tx.db.run(
    `insert into questions(run, key, question, asked_at) values(?, ?, ?, ?)
     on conflict(run, key) do update set question = excluded.question, asked_at = excluded.asked_at,
       answer = null, answered_by = null, answered_at = null, closed = 0`,
    runId,
    key,
    encode(tx.db, question),
    tx.now,
  );
  const row = tx.db.get('select id from questions where run = ? and key = ?', runId, key);
  const text = isObject(question) && typeof question['text'] === 'string' ? question['text'] : '';
  addEvent(tx, runId, { type: 'question.asked', id: `Q${String(row?.['id'])}`, key, text });
  touchPlanOf(tx, runId);
}

/** First write wins, whether the question was asked yet or not, and even before its run exists. */
export function answer(tx: Tx, runId: string, key: string, given: Answer, made?: DecisionEvent): boolean {
  assertKey(key);
  const existing = findEntry(tx, runId, key);
  if (existing !== undefined && (existing.kind !== 'ask' || existing.state.at !== 'open')) return false;
  const state = { at: 'done', outcome: 'SUCCESS', value: plain(given) } as const;
  const change = findRun(tx, runId) === null ? 1 : nextChange(tx, runId);
  if (existing === undefined) {
    tx.db.run(
      `insert into entries(run, key, kind, attempt, state, outcome, body, change, priority, opened_at, ended_at,
         ordinal)
       values(?, ?, 'ask', 1, 'done', 'SUCCESS', ?, ?, 0, ?, ?, ${nextOrdinal})`,
      runId,
      key,
      encode(tx.db, state.value),
      change,
      tx.now,
      tx.now,
      runId,
    );
  } else {
    moveEntry(tx, runId, key, state, change);
  }
  tx.db.run(
    'update questions set answer = ?, answered_by = ?, answered_at = ? where run = ? and key = ?',
    tx.db.redactor.text(given.text),
    given.by,
    given.at,
    runId,
    key,
  );
  addEvent(tx, runId, { type: 'question.answered', key, by: given.by });
  addDecision(tx, made);
  touchPlanOf(tx, runId);
  return true;
}
