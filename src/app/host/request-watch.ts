import { stepIdOf } from '../../model/key.ts';
import {
  type PermissionAnswer,
  permissionAnswerOf,
  permissionQuestion,
  type PermissionRequest,
} from '../../model/permission.ts';
import type { Question } from '../../model/question.ts';
import type { PendingRequest } from '../../model/session-logs.ts';
import type { SessionSpec } from '../../model/turn.ts';
import type { HostParts } from './host-parts.ts';
import { LogEvents } from './log-events.ts';
import { driverOfSession, logReaderOf } from './reader.ts';
import { sayAnswer } from './say-answer.ts';
import { timeCeilingEnd } from './wall-ceiling.ts';

const lookEveryMs = 250;
/** Whoever answered says it to the session too; only if that came to nothing is it for us. */
const graceMs = 3000;
/** A client lets its agent ask fewer at once: in the log there may be anything. */
const mostOpen = 100;

type Parts = Pick<HostParts, 'paths' | 'config' | 'env' | 'clock' | 'queries' | 'store'>;

/** Watches what a session asks people as long as it runs; null for one whose driver never asks. */
export function watchRequests(parts: Parts, sessionId: string, spec: SessionSpec): RequestWatch | null {
  return asksPeople(parts, spec) ? new RequestWatch(parts, sessionId, spec) : null;
}

/** One look, for a session that nobody follows. */
export async function lookForRequests(parts: Parts, sessionId: string, spec: SessionSpec): Promise<void> {
  if (!asksPeople(parts, spec)) return;
  using requests = new Requests(parts, sessionId, spec);
  await requests.look('asks');
}

/** What the log of a session says that it asks now, without recording it; null for one whose driver never asks. */
export async function pendingRequests(
  parts: Omit<Parts, 'store'>,
  sessionId: string,
  spec: SessionSpec,
): Promise<readonly PendingRequest[] | null> {
  if (!asksPeople(parts, spec)) return null;
  using log = new RequestLog(parts, sessionId, spec);
  log.read();
  return await Promise.all(
    [...log.open.values()].map(async (request) => ({
      number: request.number,
      question: await log.ask(request),
    })),
  );
}

function asksPeople(parts: Omit<Parts, 'store'>, spec: SessionSpec): boolean {
  return spec.handoff.host !== 'interactive' && driverOfSession(parts, spec)?.asks === true;
}

class RequestWatch implements AsyncDisposable {
  readonly #requests: Requests;
  readonly #looking: Disposable;
  #busy: Promise<void> | null = null;

  constructor(parts: Parts, sessionId: string, spec: SessionSpec) {
    this.#requests = new Requests(parts, sessionId, spec);
    const look = (): void => {
      this.#busy ??= this.#look('asks').finally(() => {
        this.#busy = null;
      });
    };
    // The session outlives this process: watching it is no reason to stay.
    this.#looking = parts.clock.every(lookEveryMs, look, 'idle');
  }

  /** What was answered last is told; what is still open has nobody any more who could hear the answer. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#looking[Symbol.dispose]();
    await this.#busy;
    await this.#look('is over');
    this.#requests[Symbol.dispose]();
  }

  /** A look that failed is no news: what it found is kept for the next one, and the session works on. */
  #look(how: 'asks' | 'is over'): Promise<void> {
    return this.#requests.look(how).catch(() => undefined);
  }
}

/**
 * The questions of one session: its log tells what is asked and what was answered, the inbox shows it, and what was
 * answered there is said to the session. All of it can be done again, by anybody: a question is asked once, its first
 * answer counts, and the session takes one answer.
 */
class Requests implements Disposable {
  readonly #parts: Parts;
  readonly #sessionId: string;
  readonly #dir: string;
  readonly #log: RequestLog;
  readonly #asked = new Set<number>();
  readonly #said = new Set<number>();

  constructor(parts: Parts, sessionId: string, spec: SessionSpec) {
    this.#parts = parts;
    this.#sessionId = sessionId;
    this.#dir = parts.paths.session(sessionId);
    this.#log = new RequestLog(parts, sessionId, spec);
  }

  async look(how: 'asks' | 'is over'): Promise<void> {
    this.#log.read();
    if (how === 'asks') await this.#ask();
    await this.#tellAnswers();
    if (how === 'asks') await this.#say();
  }

  [Symbol.dispose](): void {
    this.#log[Symbol.dispose]();
  }

  async #ask(): Promise<void> {
    const { store } = this.#parts;
    for (const request of this.#log.open.values()) {
      if (this.#asked.has(request.number)) continue;
      await store.askInSession(this.#sessionId, request.number, await this.#log.ask(request));
      this.#asked.add(request.number);
    }
  }

  /** Also those that a person said to the session itself: they must not stay in the inbox. */
  async #tellAnswers(): Promise<void> {
    const { store, clock } = this.#parts;
    const { answered } = this.#log;
    for (const [number, text] of answered) {
      const by = `a message to session ${this.#sessionId}`;
      await store.answerInSession(this.#sessionId, number, { text, by, at: clock.wall() });
      answered.delete(number);
    }
  }

  /** Whoever answered may have died before the session was told. */
  async #say(): Promise<void> {
    const { queries, clock } = this.#parts;
    if (this.#log.open.size === 0) return;
    for (const { asker, question, answer, answeredAt } of await queries.questionsOf(this.#sessionId)) {
      const given = permissionAnswerOf(answer);
      if (asker === null || given === null || !this.#log.open.has(asker.request)) continue;
      if (this.#said.has(asker.request) || clock.wall() - (answeredAt ?? 0) < graceMs) continue;
      const said = await sayAnswer(this.#dir, asker.request, given, question);
      if (said.delivered) this.#said.add(asker.request);
    }
  }
}

/** What a session's log says that it asks and what was answered there. It only reads. */
class RequestLog implements Disposable {
  readonly #parts: Pick<Parts, 'paths' | 'config' | 'env' | 'clock' | 'queries'>;
  readonly #sessionId: string;
  readonly #spec: SessionSpec;
  readonly #events: LogEvents;
  readonly open = new Map<number, PermissionRequest>();
  readonly answered = new Map<number, PermissionAnswer>();

  constructor(parts: Omit<Parts, 'store'>, sessionId: string, spec: SessionSpec) {
    this.#parts = parts;
    this.#sessionId = sessionId;
    this.#spec = spec;
    const log = { driver: spec.driver, host: spec.handoff.host };
    this.#events = new LogEvents(parts.paths.session(sessionId), () => logReaderOf(parts, log));
  }

  read(): void {
    for (const event of this.#events.news()) {
      if (event.type === 'anew') this.open.clear();
      else if (event.type === 'waiting' && event.request !== undefined && this.open.size < mostOpen) {
        this.open.set(event.request.number, event.request);
      } else if (event.type === 'answered' && this.open.delete(event.request)) {
        this.answered.set(event.request, event.answer);
      }
    }
  }

  async ask(request: PermissionRequest): Promise<Question> {
    return permissionQuestion(request, { agent: this.#spec.agent, ...(await this.#placeOf()) });
  }

  [Symbol.dispose](): void {
    this.#events[Symbol.dispose]();
  }

  /** Its own time limit ends it, or that of the run. */
  async #placeOf(): Promise<{ readonly step: string; readonly until: number }> {
    const { queries, clock } = this.#parts;
    const session = await queries.sessions.one(this.#sessionId);
    const from = session?.startedAt ?? session?.createdAt ?? clock.wall();
    const ceiling = session === null ? Infinity : await timeCeilingEnd(this.#parts, session.runId);
    const until = Math.min(from + this.#spec.timeoutMs, ceiling);
    return { step: stepIdOf(session?.key ?? ''), until };
  }
}
