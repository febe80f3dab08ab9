import { isOver } from '../../model/run.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { formatDuration } from '../../lib/duration.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { setAsideLateResults } from '../host/late-result.ts';
import { noteRequests } from '../runs/answer-question.ts';
import { ensureConductor } from '../runs/ensure-conductor.ts';
import { isAdvancing } from '../status/living-holder.ts';
import { findOpenQuestions } from '../status/open-questions.ts';
import type { Tutti } from '../tutti.ts';
import { isOwnRun, latestSession, ownEnd, requiredSession } from '../sessions/find.ts';
import { awaitedAnswer, questionOf, type SessionQuestion, unanswered } from '../sessions/session-question.ts';
import { recordEnded } from '../sessions/record-ended.ts';
import { dialogAtTerminal } from '../sessions/waiting-at-terminals.ts';
import { waitUntil } from '../sessions/wait-until.ts';

/** Looking for what ended with nobody awake is dearer than looking at the tables. */
const settleEveryMs = 1000;

/** Waits for the end of a session and of its retries, or until only a person can continue. Gives the last one. */
export async function waitForSession(
  tutti: Tutti,
  id: string,
  timeoutMs: number | null,
): Promise<Result<Session, Refusal>> {
  const found = await requiredSession(tutti, id);
  if (!found.ok) return found;
  const session = found.value;
  const end = timeoutMs === null ? null : tutti.clock.monotonic() + timeoutMs;
  // A run that has other steps goes on with them, so it is named.
  const about = (await isOwnRun(tutti, session)) ? [session.runId] : [];
  for (;;) {
    await recordEnded(tutti);
    if (!(await hasEnded(tutti, session)) && !(await isAdvancing(tutti, session.runId)))
      await ensureConductor(tutti, about);
    const left = end === null ? settleEveryMs : Math.min(settleEveryMs, end - tutti.clock.monotonic());
    let stop: Refusal | null = null;
    const settled = async (): Promise<boolean> => {
      stop = await needsPerson(tutti, session);
      return stop !== null || (await hasEnded(tutti, session));
    };
    const isSettled = await waitUntil(tutti.clock, left, settled);
    if (isSettled && stop === null) {
      // While no process advances its run, no other would number what it asks.
      if (!(await isAdvancing(tutti, session.runId))) await noteRequests(tutti);
      const last = await latestSession(tutti, session);
      await setAsideLateResults(tutti, session.runId);
      return ok({ ...last, outcome: (await ownEnd(tutti, last))?.outcome ?? last.outcome });
    }
    if (stop !== null) return err(stop);
    if (end !== null && tutti.clock.monotonic() >= end) {
      const message = `session ${id} has not ended within ${formatDuration(timeoutMs ?? 0)}`;
      return err(refusal('TIMEOUT', message, `look at it: tutti session status ${id}`));
    }
  }
}

/** What only a person can continue: a question, or a dialog in the terminal of its last session. */
async function needsPerson(tutti: Tutti, session: Session): Promise<Refusal | null> {
  const last = await latestSession(tutti, session);
  const question = await asked(tutti, session, last);
  return question === null ? dialogAtTerminal(tutti, last) : unanswered(session.id, question);
}

/** A question in its result, or one that its last session asks while it works. */
async function asked(tutti: Tutti, session: Session, last: Session): Promise<SessionQuestion | null> {
  const find = async (): Promise<SessionQuestion | null> =>
    awaitedAnswer(tutti, last, await findOpenQuestions(tutti, session.runId));
  const found = (await questionOf(tutti, session)) ?? (await find());
  if (found === null || !found.id.includes('/')) return found;
  // No process has numbered it, and a number is easier to type than its key.
  await noteRequests(tutti);
  return (await find()) ?? found;
}

/** A session of its own may be tried again, so it has ended when its run is over. */
async function hasEnded(tutti: Tutti, session: Session): Promise<boolean> {
  if (!(await isOwnRun(tutti, session))) {
    const now = await tutti.queries.sessions.one(session.id);
    return now === null || isTerminal(now.status);
  }
  const run = await tutti.queries.run(session.runId);
  return run === null || isOver(run.state);
}
