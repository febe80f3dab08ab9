import { keepLooking } from '../../lib/keep-looking.ts';
import { formatDuration } from '../../lib/duration.ts';
import { oneLine } from '../../lib/terminal-text.ts';
import { LogEvents, type LogEventNews } from '../host/log-events.ts';
import { logReaderOf } from '../host/reader.ts';
import { SessionDoings } from '../sessions/session-doing.ts';
import type { Tutti } from '../tutti.ts';
import type { Unanswered } from './judge-trial.ts';

/** How long a model may take to its first answer. */
export interface AnswerLimits {
  /** After its CLI first said that it asks again. */
  readonly retryingMs: number;
  /** While its CLI says nothing. */
  readonly silentMs: number;
}

/** Of a small prompt. A model of one's own may have to be loaded first. */
export const answerLimits: AnswerLimits = { retryingMs: 30_000, silentMs: 120_000 };

const lookEveryMs = 250;
const tellEveryMs = 10_000;

interface Watched {
  readonly runId: string;
  readonly limits: AnswerLimits;
  /** What the agent does, every few seconds. */
  readonly tell: (line: string) => void;
}

/** Follows a trial: tells what its agent does, and stops it when its model gives no answer, or only after a limit. */
export class TrialWatch implements AsyncDisposable {
  readonly #tutti: Tutti;
  readonly #watched: Watched;
  readonly #doings: SessionDoings;
  readonly #looking: AsyncDisposable;
  readonly #since: number;
  #log: { readonly id: string; readonly events: LogEvents } | null = null;
  #state: 'asking' | 'answered' | 'unanswered' | 'limited' = 'asking';
  #trouble: { readonly since: number; readonly reason: string } | null = null;
  #toldAt: number;
  /** When its CLI was last heard of. */
  #heardAt: number;

  constructor(tutti: Tutti, watched: Watched) {
    this.#tutti = tutti;
    this.#watched = watched;
    this.#doings = new SessionDoings(tutti);
    this.#since = tutti.clock.monotonic();
    this.#toldAt = this.#since;
    this.#heardAt = this.#since;
    this.#looking = keepLooking(tutti.clock, lookEveryMs, () => this.#look());
  }

  /** Whether the trial was stopped from here. */
  get hasStopped(): boolean {
    return this.#state === 'unanswered' || this.#state === 'limited';
  }

  /** Why the trial was stopped, where its model gave no answer; null: it did, or a limit speaks for itself. */
  get unanswered(): Unanswered | null {
    if (this.#state !== 'unanswered') return null;
    const { retryingMs, silentMs } = this.#watched.limits;
    if (this.#trouble === null) {
      const text = `the model did not answer within ${formatDuration(silentMs)}, and the CLI said nothing`;
      return { text, reason: null };
    }
    const { reason } = this.#trouble;
    const text = `the model did not answer within ${formatDuration(retryingMs)} of its first failure: ${reason}`;
    return { text, reason };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#looking[Symbol.asyncDispose]();
    this.#log?.events[Symbol.dispose]();
  }

  /** The start of a CLI takes its time too: what it says of its retries is measured from there. */
  #isOverdue(now: number): boolean {
    const { retryingMs, silentMs } = this.#watched.limits;
    return this.#trouble === null ? now - this.#since >= silentMs : now - this.#trouble.since >= retryingMs;
  }

  async #look(): Promise<void> {
    const now = this.#tutti.clock.monotonic();
    const session = (await this.#tutti.queries.sessions.ofRun(this.#watched.runId)).at(-1);
    if (session !== undefined && this.#log === null) {
      const dir = this.#tutti.paths.session(session.id);
      const events = new LogEvents(dir, () => logReaderOf(this.#tutti, session));
      this.#log = { id: session.id, events };
    }
    for (const event of this.#log?.events.news() ?? []) this.#hear(event, now);
    if (now - this.#toldAt >= tellEveryMs) {
      this.#toldAt = now;
      this.#watched.tell(`${formatDuration(now - this.#since)}${await this.#progress(now)}`);
    }
    if (await this.#waitsForLimit()) this.#stop('limited');
    else if (this.#state === 'asking' && this.#isOverdue(now)) this.#stop('unanswered');
  }

  /** What it does, or how long its CLI has been silent and how long it may be. */
  async #progress(now: number): Promise<string> {
    if (this.#log === null) return '';
    const doing = `: ${await this.#doings.describe(this.#log.id)}`;
    if (this.#state !== 'asking' || this.#trouble !== null) return doing;
    const silent = `the CLI has printed nothing for ${formatDuration(now - this.#heardAt)}`;
    const ends = `without an answer the trial ends after ${formatDuration(this.#watched.limits.silentMs)}`;
    return `${doing} · ${silent}; ${ends}`;
  }

  /** A limit is waited for by sleeping, and then the turn would start again. A trial has one turn. */
  async #waitsForLimit(): Promise<boolean> {
    const entries = await this.#tutti.queries.entries(this.#watched.runId);
    return entries.some(({ kind, state }) => kind === 'sleep' && state.at === 'open');
  }

  #stop(why: 'unanswered' | 'limited'): void {
    if (this.hasStopped) return;
    this.#state = why;
    this.#tutti.store.cancel(this.#watched.runId, 'tutti').catch(() => undefined);
  }

  #hear(event: LogEventNews, now: number): void {
    this.#heardAt = now;
    if (event.type === 'retrying') {
      const reason = oneLine(this.#tutti.redactor.text(event.reason), 300);
      this.#trouble = { since: this.#trouble?.since ?? now, reason };
    }
    const isAnswer = event.type === 'text' || event.type === 'tool' || event.type === 'denied';
    if (isAnswer && this.#state === 'asking') this.#state = 'answered';
  }
}
