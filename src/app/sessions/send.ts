import { err, ok, type Result } from '../../lib/result.ts';
import { givenAnswer } from '../../model/permission.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import { postMessage } from '../../runtime/spool.ts';
import { driverOfSession, takesInput } from '../host/reader.ts';
import { decide } from '../people/decide.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { requiredSession } from './find.ts';
import { awaitedAnswer, unanswered } from './session-question.ts';
import { lookAtSession } from './sessions-now.ts';
import { findOpenQuestions } from '../status/open-questions.ts';

export interface SendRequest {
  readonly id: string;
  readonly text: string;
  readonly timeoutMs: number;
}

/** Says something to an agent at work. Resolves when it has taken it; on a refusal it never will. */
export async function sendToSession(tutti: Tutti, request: SendRequest): Promise<Result<Session, Refusal>> {
  const { id, text, timeoutMs } = request;
  const found = await requiredSession(tutti, id);
  if (!found.ok) return found;
  const session = await lookAtSession(tutti, found.value);
  const look = `look at it: tutti session status ${id}`;
  if (isTerminal(session.status)) {
    return err(refusal('USAGE', `Session not active (status: ${session.status})`, look));
  }
  if (session.status === 'CREATED') {
    return err(
      refusal('USAGE', `session ${id} has not started yet`, `wait for it: tutti session wait ${id}`),
    );
  }
  if (text.includes('\0')) {
    return err(refusal('USAGE', 'a message may not contain NUL', 'remove it and send again'));
  }
  if (!takesInput(tutti, session)) {
    const question = await awaitedAnswer(tutti, session, await findOpenQuestions(tutti, session.runId));
    if (question !== null) return err(unanswered(id, question));
    const message = `driver ${session.driver} accepts no messages while it works`;
    const wait = `wait for it to end: tutti session wait ${id}`;
    const next = `then continue its conversation: tutti session continue ${id} "…"`;
    const resumes = driverOfSession(tutti, session)?.resumes === true;
    return err(refusal('UNAVAILABLE', message, resumes ? `${wait}; ${next}` : wait));
  }
  const answers = answeredBy(session, text);
  const decided = answers === null ? ok(null) : await decide(tutti, 'answer', answers);
  if (!decided.ok) return decided;
  const next = session.host === 'interactive' ? `look at its terminal: tutti session attach ${id}` : look;
  const ack = await postMessage(tutti.paths.session(id), { kind: 'send', text }, timeoutMs);
  return ack.delivered
    ? ok(session)
    : err(refusal('FAILURE', `the agent did not take the message: ${ack.reason}`, next));
}

/**
 * What a message answers, for the audit; null: it is only a message. Whatever is typed into an interface confirms the
 * question that it may be showing.
 */
function answeredBy({ id, host }: Session, text: string): string | null {
  if (host === 'interactive') return `whatever the interface of session ${id} asks`;
  const given = givenAnswer(text);
  return given === null ? null : `request ${given.number} of session ${id}`;
}
