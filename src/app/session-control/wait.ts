import { isOver } from '../../model/run.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { formatDuration } from '../../lib/duration.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { ensureConductor } from '../runs/ensure-conductor.ts';
import { isAdvancing } from '../status/living-holder.ts';
import type { Tutti } from '../tutti.ts';
import { isOwnRun, latestSession, ownEnd, requiredSession } from '../sessions/find.ts';
import { questionOf, unanswered } from '../sessions/session-question.ts';
import { recordEnded } from '../sessions/record-ended.ts';
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
  for (;;) {
    await recordEnded(tutti);
    if (!(await hasEnded(tutti, session)) && !(await isAdvancing(tutti, session.runId)))
      await ensureConductor(tutti);
    const left = end === null ? settleEveryMs : Math.min(settleEveryMs, end - tutti.clock.monotonic());
    const settled = async (): Promise<boolean> =>
      (await hasEnded(tutti, session)) || (await questionOf(tutti, session)) !== null;
    const ended = await waitUntil(tutti.clock, left, settled);
    const question = await questionOf(tutti, session);
    if (ended && question === null) {
      const last = await latestSession(tutti, session);
      return ok({ ...last, outcome: (await ownEnd(tutti, last))?.outcome ?? last.outcome });
    }
    if (question !== null) return err(unanswered(id, question));
    if (end !== null && tutti.clock.monotonic() >= end) {
      const message = `session ${id} has not ended within ${formatDuration(timeoutMs ?? 0)}`;
      return err(refusal('TIMEOUT', message, `look at it: tutti session status ${id}`));
    }
  }
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
