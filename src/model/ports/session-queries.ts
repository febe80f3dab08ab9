import type { Entry } from '../entry.ts';
import type { Session, SessionStatus } from '../session.ts';

export interface SessionFilter {
  readonly status: SessionStatus | null;
  /** Every one of them. */
  readonly tags: readonly string[];
  readonly parent: string | null;
  readonly archived: boolean;
  /** Whatever their rows say of their status: these too, and these not. */
  readonly despiteStatus?: { readonly also: readonly string[]; readonly except: readonly string[] };
}

export const anySession: SessionFilter = { status: null, tags: [], parent: null, archived: false };

/** Of several thousand sessions, the newest. */
export interface SessionPage {
  readonly limit: number | null;
  /** Those that were created before this one. */
  readonly before: string | null;
}

export interface SpendingFilter {
  /** With the runs inside it; null is all. */
  readonly runId: string | null;
  /** Created at this instant or later. */
  readonly since: number;
}

/** A session that holds a slot, with what was asked of it. */
export interface LaunchedSession {
  readonly session: Session;
  readonly entry: Entry;
}

export interface UnlaunchedSession {
  readonly session: Session;
  readonly promised: boolean;
}

/** What is read about sessions, newest first. */
export interface SessionQueries {
  one(id: string): Promise<Session | null>;
  /** Those whose id begins with this text of letters, digits, `.`, `_` and `-`; at most `limit`. */
  startingWith(prefix: string, limit: number): Promise<readonly Session[]>;
  newest(): Promise<Session | null>;
  /** Those of a run, in the order of their creation. */
  ofRun(runId: string): Promise<readonly Session[]>;
  list(filter: SessionFilter, page: SessionPage): Promise<readonly Session[]>;
  /** How many there are in each state. */
  totals(filter: SessionFilter): Promise<SessionTotals>;
  /** Those whose process came to run, oldest first. */
  spending(filter: SpendingFilter): Promise<readonly Session[]>;
  /** Those that have not ended. */
  live(): Promise<readonly Session[]>;
  /** Those that were created and have not been launched; some of them hold a slot that was promised to them. */
  unlaunched(): Promise<readonly UnlaunchedSession[]>;
  /** Whether the intent to launch it was recorded, and its end was not. */
  isLaunched(session: Pick<Session, 'runId' | 'key' | 'attempt'>): Promise<boolean>;
  /** Those that may have a living process. */
  launched(): Promise<readonly LaunchedSession[]>;
}

/** A state without sessions is left out. */
export type SessionTotals = Readonly<Partial<Record<SessionStatus, number>>>;
