import { isSafeId } from '../../lib/ids.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { chooseAnswer } from '../../model/question.ts';
import type { KnownQuestion } from '../../store/queries.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { answerRequest } from './answer-request.ts';
import { ensureConductor } from './conductor.ts';
import { isDriven } from './drive-run.ts';

export interface Answered {
  readonly runId: string;
  readonly key: string;
  /** What happens next: somebody already drives the run, a conductor was started for it, or its session goes on. */
  readonly next: 'driven' | 'conductor' | 'session';
  /** As it is recorded: the option that was chosen. */
  readonly text: string;
}

/** Answers a question of the inbox, named `Q7` or `RUN/KEY`. The first answer wins. */
export async function answerQuestion(
  tutti: Tutti,
  question: string,
  text: string,
  by: string,
): Promise<Result<Answered, Refusal>> {
  const known = findQuestion(tutti, question);
  if (known === null) {
    const message = `there is no question '${question.slice(0, 80)}'`;
    return err(refusal('USAGE', message, 'see what is open: tutti inbox'));
  }
  const { runId, key } = known;
  const at = tutti.clock.wall();
  const chosen = chooseAnswer(known.question, text);
  if (!chosen.ok)
    return err(refusal('USAGE', `${known.id}: ${chosen.error}`, 'see the options: tutti inbox'));
  if (known.asker !== null) {
    const said = await answerRequest(
      tutti,
      { question: known, asker: known.asker },
      { text: chosen.value, by, at },
    );
    if (!said.ok) return said;
    // The session goes on by itself; what comes after it does not.
    if (!isDriven(tutti, runId)) await ensureConductor(tutti);
    return ok({ runId, key, next: 'session', text: chosen.value });
  }
  if (!(await tutti.store.answer(runId, key, { text: chosen.value, by, at }))) {
    return err(refusal('USAGE', `${question} already has an answer`, 'see what is open: tutti inbox'));
  }
  if (isDriven(tutti, runId)) return ok({ runId, key, next: 'driven', text: chosen.value });
  await ensureConductor(tutti);
  return ok({ runId, key, next: 'conductor', text: chosen.value });
}

function findQuestion({ queries }: Tutti, question: string): KnownQuestion | null {
  const number = /^Q?(\d{1,9})$/i.exec(question)?.[1];
  if (number !== undefined) return queries.question(Number(number));
  const slash = question.indexOf('/');
  const runId = question.slice(0, Math.max(0, slash));
  return isSafeId(runId) ? queries.questionAt(runId, question.slice(slash + 1)) : null;
}
