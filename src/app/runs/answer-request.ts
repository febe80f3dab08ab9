import { err, ok, type Result } from '../../lib/result.ts';
import type { DecisionEvent } from '../../model/event.ts';
import { permissionAnswerOf } from '../../model/permission.ts';
import { type Answer, firstAnswer, type OpenQuestion } from '../../model/question.ts';
import type { KnownQuestion } from '../../model/ports/queries.ts';
import { sayAnswer } from '../host/say-answer.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';

export interface AskingSession extends Pick<KnownQuestion, 'id' | 'question' | 'closed'> {
  readonly asker: NonNullable<OpenQuestion['asker']>;
}

/** The answer to a session at work. It is recorded first, so that of two who answer only one is heard. */
export async function answerRequest(
  tutti: Tutti,
  { id, question, closed, asker }: AskingSession,
  given: Answer,
  made?: DecisionEvent,
): Promise<Result<null, Refusal>> {
  const { session, request } = asker;
  const look = `look at it: tutti session status ${session}`;
  const answer = permissionAnswerOf(given.text);
  const options = question.options ?? [];
  if (answer === null || !options.includes(answer)) {
    const message = `${id} asks for permission: answer ${options.join(', ')}`;
    return err(refusal('USAGE', message, `permit it once: tutti answer ${id} allow`));
  }
  const hasEnded = refusal('USAGE', `session ${session}, which asked ${id}, has ended`, look);
  if (closed) return err(hasEnded);
  if (!(await tutti.store.answerInSession(session, request, given, made))) {
    const now = (await tutti.queries.questionsOf(session)).find((each) => each.id === id);
    const said = now === undefined ? null : firstAnswer(now);
    return err(said === null ? hasEnded : refusal('FAILURE', said, look));
  }
  const said = await sayAnswer(tutti.paths.session(session), request, answer, question);
  if (said.delivered) return ok(null);
  return err(refusal('FAILURE', `session ${session} did not take the answer: ${said.reason}`, look));
}
