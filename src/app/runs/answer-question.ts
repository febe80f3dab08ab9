import { isSafeId } from '../../lib/ids.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import { answerRequest } from './answer-request.ts';
import { ensureConductor } from './conductor.ts';
import { isDriven } from './drive-run.ts';

export interface Answered {
  readonly runId: string;
  readonly key: string;
  /** What happens next: somebody already drives the run, a conductor was started for it, or its session goes on. */
  readonly next: 'driven' | 'conductor' | 'kept' | 'session';
}

/**
 * `Q7` answers a question of the inbox; `RUN/KEY` answers one that may not have been asked yet: it is kept until then.
 * The first answer wins.
 */
export async function answerQuestion(
  tutti: Tutti,
  question: string,
  text: string,
  by: string,
): Promise<Result<Answered, Refusal>> {
  const place = placeOf(tutti, question);
  if (!place.ok) return place;
  const { runId, key } = place.value;
  const at = tutti.clock.wall();
  const known = tutti.queries.questionAt(runId, key);
  if (known !== null && known.asker !== null) {
    const said = await answerRequest(tutti, { question: known, asker: known.asker }, { text, by, at });
    if (!said.ok) return said;
    // The session goes on by itself; what comes after it does not.
    if (!isDriven(tutti, runId)) await ensureConductor(tutti);
    return ok({ runId, key, next: 'session' });
  }
  if (!(await tutti.store.answer(runId, key, { text, by, at }))) {
    return err(refusal('USAGE', `${question} already has an answer`, 'see what is open: tutti inbox'));
  }
  if (tutti.queries.run(runId) === null) return ok({ runId, key, next: 'kept' });
  if (isDriven(tutti, runId)) return ok({ runId, key, next: 'driven' });
  await ensureConductor(tutti);
  return ok({ runId, key, next: 'conductor' });
}

function placeOf(
  tutti: Tutti,
  question: string,
): Result<{ readonly runId: string; readonly key: string }, Refusal> {
  const numbered = /^Q?(\d{1,9})$/i.exec(question);
  if (numbered !== null) {
    const found = tutti.queries.question(Number(numbered[1]));
    if (found !== null) return ok(found);
  }
  const slash = question.indexOf('/');
  const runId = question.slice(0, Math.max(0, slash));
  if (numbered === null && isSafeId(runId)) return ok({ runId, key: question.slice(slash + 1) });
  const message = `there is no question '${question.slice(0, 80)}'`;
  return err(refusal('USAGE', message, 'see what is open: tutti inbox'));
}
