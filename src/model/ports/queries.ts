import type { Json } from '../../lib/json.ts';
import type { Budget } from '../budget.ts';
import type { Entry } from '../entry.ts';
import type { FeedEvent, SessionWarning } from '../event.ts';
import type { Holder } from '../holder.ts';
import type { Lease } from '../lease.ts';
import type { OpenQuestion } from '../question.ts';
import type { Run } from '../run.ts';
import type { SessionSpec } from '../turn.ts';
import type { AuditQueries } from './audit-queries.ts';
import type { PlanQueries } from './plan-queries.ts';
import type { SessionQueries } from './session-queries.ts';

export interface KnownQuestion extends OpenQuestion {
  /** Null while it is open, or when it was closed without one. */
  readonly answer: string | null;
  readonly answeredAt: number | null;
  /** For the record: `user:ada`. Null while it has no answer. */
  readonly answeredBy: string | null;
  /** No run or session waits for an answer any more. */
  readonly closed: boolean;
}

/** Slots that are taken: of one run, and by sessions of the whole project. */
export interface Slots {
  readonly inRun: number;
  readonly sessions: number;
}

export interface WakeableRuns {
  /** Runs that somebody should advance: never advanced, with news since they were parked, or with a timer; of one tree or
   * of all. Those that a living process holds are among them: a claim tells. */
  wakeable(rootId: string | null): Promise<readonly string[]>;
}

/** One state of the store: every read sees it as it was when the snapshot was taken, whatever is written meanwhile. */
export interface Snapshot extends Queries, Disposable {}

/**
 * Everything people and programs read. No call waits for a writer, and none changes anything. Each call is consistent by
 * itself; two calls may see a change between them, so facts that must agree come from one call, or from one snapshot.
 */
export interface Queries extends WakeableRuns {
  /** Pins the state that it finds until it is disposed of. It costs the store something as long as it lives. */
  snapshot(): Promise<Snapshot>;
  readonly sessions: SessionQueries;
  readonly plans: PlanQueries;
  readonly audit: AuditQueries;
  run(id: string): Promise<Run | null>;
  /** Newest first; `limit` null is all. */
  runs(limit: number | null): Promise<readonly Run[]>;
  /** Runs that live on this one's budget and are not over, the innermost last. */
  runsInside(rootId: string): Promise<readonly string[]>;
  input(runId: string): Promise<Json>;
  /** What was asked of a session of this run; null if it was never opened. */
  spec(runId: string, key: string): Promise<SessionSpec | null>;
  entry(runId: string, key: string): Promise<Entry | null>;
  /** In the order in which they were opened. */
  entries(runId: string): Promise<readonly Entry[]>;
  slots(runId: string): Promise<Slots>;
  budget(rootId: string): Promise<Budget | null>;
  holder(runId: string): Promise<Holder | null>;
  /** The lease of a process that holds a run or conducts, by its id. */
  lease(holderId: string): Promise<Lease | null>;
  conductor(): Promise<Holder | null>;
  /** Every process that holds a run or conducts. */
  holders(): Promise<readonly Holder[]>;
  /** The feed after a place, oldest first; a negative `limit` is all of it. */
  events(runId: string | null, afterSeq: number, limit?: number): Promise<readonly FeedEvent[]>;
  /** Sessions of a run that had a warning of this kind, in the order of the warnings. */
  warnedSessions(runId: string, about: SessionWarning): Promise<readonly string[]>;
  /** Where the feed of a run stands now: what comes later is news. */
  lastSeq(runId: string): Promise<number>;
  /** Steps of flows that succeeded, by the verdict that their run recorded. */
  succeededSteps(): Promise<readonly { readonly runId: string; readonly step: string }[]>;
  /** What waits for a person; a run that has ended may have left out the step that asks, and the question stays. */
  openQuestions(runId?: string | null): Promise<readonly OpenQuestion[]>;
  question(id: number): Promise<KnownQuestion | null>;
  questionAt(runId: string, key: string): Promise<KnownQuestion | null>;
  /** The question of the run itself that was answered last. */
  lastAnswered(runId: string): Promise<KnownQuestion | null>;
  /** What a session has asked while it worked, with what was answered. */
  questionsOf(sessionId: string): Promise<readonly KnownQuestion[]>;
}
