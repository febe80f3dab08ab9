import { plain } from '../../lib/json.ts';
import type { DecisionEvent } from '../../model/event.ts';
import type { Answer, Question } from '../../model/question.ts';
import { encode } from '../codec.ts';
import { requestKey } from '../../model/request-key.ts';
import { text } from '../rows.ts';
import { addDecision, addEvent, type Tx } from './tables.ts';

/** Asked once, however often the session's log is read; never by a session that has ended. */
export function askInSession(tx: Tx, session: string, request: number, question: Question): boolean {
  const asker = tx.db.get(
    `select run, key from sessions where id = ? and status in ('CREATED', 'RUNNING')`,
    session,
  );
  if (asker === undefined) return false;
  const runId = text(asker, 'run');
  const key = requestKey({ id: session, key: text(asker, 'key') }, request);
  const row = tx.db.get(
    `insert into questions(run, key, question, asked_at, session, request) values(?, ?, ?, ?, ?, ?)
     on conflict do nothing returning id`,
    runId,
    key,
    encode(tx.db, plain(question)),
    tx.now,
    session,
    request,
  );
  if (row === undefined) return false;
  addEvent(tx, runId, { type: 'question.asked', id: `Q${text(row, 'id')}`, key, text: question.text });
  return true;
}

/** First write wins. What was never asked, or is closed, cannot be answered. */
export function answerInSession(
  tx: Tx,
  session: string,
  request: number,
  given: Answer,
  made?: DecisionEvent,
): boolean {
  const row = tx.db.get(
    `update questions set answer = ?, answered_by = ?, answered_at = ?
     where session = ? and request = ? and answered_at is null and closed = 0 returning run, key`,
    tx.db.redactor.text(given.text),
    given.by,
    given.at,
    session,
    request,
  );
  if (row === undefined) return false;
  addEvent(tx, text(row, 'run'), { type: 'question.answered', key: text(row, 'key'), by: given.by });
  addDecision(tx, made);
  return true;
}

/** Nobody is there any more to hear an answer. */
export function closeQuestionsOf({ db }: Tx, session: string): void {
  db.run('update questions set closed = 1 where session = ? and answered_at is null', session);
}
