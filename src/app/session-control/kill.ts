import type { EndReport } from '../../lib/process/end-processes.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { isOver } from '../../model/run.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import { end as endAttempt, endLeftBehind } from '../../runtime/end-attempt.ts';
import { attemptProcesses, livingAttempts } from '../../runtime/living-attempts.ts';
import { StoreUnavailable } from '../../model/ports/store-unavailable.ts';
import { markOf } from '../host/attempt-folder.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { advanceRun } from '../runs/advance-run.ts';
import { isAdvancing } from '../status/living-holder.ts';
import type { Tutti } from '../tutti.ts';
import { isOwnRun, requiredSession } from '../sessions/find.ts';
import { awaitedAnswer, type SessionQuestion } from '../sessions/session-question.ts';
import { recordEnded } from '../sessions/record-ended.ts';
import { waitUntil } from '../sessions/wait-until.ts';

export interface KillRequest {
  readonly id: string;
  readonly reason: string;
  /** Who wants it, for the audit. */
  readonly by: string;
}

export interface Killed {
  readonly session: Session;
  /** `already`: it had ended before, and keeps its end. */
  readonly how: 'killed' | 'already';
  /** Processes that were found alive and ended. */
  readonly processes: number;
  /** What it asked and waits for, although its process has ended. */
  readonly question: SessionQuestion | null;
  /** The living session that tries the turn of a lost one again; null: there is none. */
  readonly retriedAs: string | null;
  /** Why the end is not recorded yet; null: it is. The next command that changes something records it. */
  readonly unrecorded: string | null;
}

/** How long the process that follows the session gets to record its end. */
const recordMs = 15_000;
/** How long a holder may take to answer before it is replaced; its processes are gone by then. */
const answerMs = 5000;

/** Of these sessions, those that have ended and left processes behind which are alive. */
export function findLeftBehind(tutti: Tutti, sessions: readonly Session[]): readonly Session[] {
  const ended = sessions.filter(({ status }) => isTerminal(status));
  if (ended.length === 0) return [];
  const lives = livingAttempts();
  // A group may still list a process that has ended and that its parent has not asked about.
  return ended.filter((session) => {
    const mark = markOf(tutti, session);
    return lives(mark) && attemptProcesses(mark).length > 0;
  });
}

/**
 * Ends a session and every process it started. One that has not started never will; one that ended keeps its end, and what it
 * left behind is ended.
 */
export async function killSession(tutti: Tutti, request: KillRequest): Promise<Result<Killed, Refusal>> {
  await ifWritable(() => recordEnded(tutti));
  const found = await requiredSession(tutti, request.id);
  if (!found.ok) return found;
  const session = found.value;
  if (isTerminal(session.status)) return endRest(tutti, session);
  const { by } = request;
  // It goes into files of the session too.
  const reason = tutti.redactor.text(request.reason);
  const isOwn = await isOwnRun(tutti, session);
  const wasLaunched = await isLaunched(tutti, session);
  // Before the first signal: its holder must not take the end for a reason to launch it again.
  const kept = isOwn ? tutti.wishes.keep(session.runId, 'stop', reason, by) : null;
  // Processes first, because signals need no disk; and at once, or a holder that sees the stop gives its own reason.
  const ending =
    wasLaunched || (await isLaunched(tutti, session))
      ? endAttempt(tutti.paths.session(session.id), markOf(tutti, session), `by ${by}: ${reason}`)
      : null;
  const unrecorded = await ifWritable(async () => {
    await tutti.store.note(session.runId, { type: 'session.killed', session: session.id, reason, by });
    if (!isOwn) return;
    await tutti.store.cancel(session.runId, by);
    tutti.wishes.forget(session.runId);
  });
  const report = await ending;
  const left = report?.left ?? [];
  if (unrecorded === null) await recordEnd(tutti, session, isOwn);
  else if (left.length === 0 && (kept !== null || !isOwn)) {
    const processes = report?.found ?? 0;
    return ok({ session, how: 'killed', processes, question: null, retriedAs: null, unrecorded });
  }
  const after = await requiredSession(tutti, session.id);
  if (!after.ok) return after;
  if (left.length > 0 || !isTerminal(after.value.status)) return err(notEnded(session, left));
  const processes = report?.found ?? 0;
  return ok({
    session: after.value,
    how: 'killed',
    processes,
    question: null,
    retriedAs: null,
    unrecorded: null,
  });
}

/** For a session that has ended: nothing is recorded, because its end stays as it is. */
async function endRest(tutti: Tutti, session: Session): Promise<Result<Killed, Refusal>> {
  const { found, left } = await endLeftBehind(tutti.paths.session(session.id), markOf(tutti, session));
  if (left.length > 0) return err(notEnded(session, left));
  const question = await awaitedAnswer(tutti, session, await tutti.queries.openQuestions(session.runId));
  const retriedAs = await findRetry(tutti, session);
  return ok({ session, how: 'already', processes: found, question, retriedAs, unrecorded: null });
}

async function findRetry({ queries }: Tutti, { runId, key, attempt }: Session): Promise<string | null> {
  const later = (await queries.sessions.ofRun(runId)).filter(
    (session) => session.key === key && session.attempt > attempt && !isTerminal(session.status),
  );
  return later.at(-1)?.id ?? null;
}

function notEnded({ id }: Session, left: EndReport['left']): Refusal {
  const pids = left.map(({ pid }) => pid).join(', ');
  const message = `session ${id} could not be ended${pids === '' ? '' : `: processes ${pids} are left`}`;
  return refusal('FAILURE', message, `try again: tutti session kill ${id} --force`);
}

/** Null when it is recorded; why not, when the database cannot be written just now. */
async function ifWritable(record: () => Promise<unknown>): Promise<string | null> {
  try {
    await record();
    return null;
  } catch (error) {
    if (error instanceof StoreUnavailable) return error.message;
    throw error;
  }
}

async function isLaunched({ queries }: Tutti, { id }: Session): Promise<boolean> {
  return (await queries.sessions.launched()).some(({ session }) => session.id === id);
}

/**
 * Whoever advances the run records the end; if nobody does, we do. A run that ends with its session is over as well before
 * anything is said: the next look must not find it running.
 */
async function recordEnd(tutti: Tutti, { id, runId }: Session, isOwn: boolean): Promise<void> {
  const isRecorded = async (): Promise<boolean> => {
    const now = await tutti.queries.sessions.one(id);
    const run = isOwn ? await tutti.queries.run(runId) : null;
    return (now === null || isTerminal(now.status)) && (run === null || isOver(run.state));
  };
  const deadline = tutti.clock.monotonic() + recordMs;
  // Again, because another process may take the run up just when we find that nobody advances it.
  for (let left = recordMs; left > 0 && !(await isRecorded()); left = deadline - tutti.clock.monotonic()) {
    await waitUntil(
      tutti.clock,
      Math.min(left, answerMs),
      async () => (await isRecorded()) || !(await isAdvancing(tutti, runId)),
    );
    if (!(await isRecorded())) await recordEnded(tutti);
    // A holder that does not answer is replaced, where the whole run ends with the session.
    if (!(await isRecorded())) await advanceRun(tutti, { runId, stay: false, takesOver: isOwn });
  }
}
