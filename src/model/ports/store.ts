import type { Json } from '../../lib/json.ts';
import type { Budget, BudgetLimits, Reservation } from '../budget.ts';
import type { Completion, Entry, EntryKind } from '../entry.ts';
import type { DecisionEvent, EmittedEvent } from '../event.ts';
import type { Failure } from '../failure.ts';
import type { Holder } from '../holder.ts';
import type { Changer, Lease, LeaseFacts } from '../lease.ts';
import type { AttemptRef } from '../key.ts';
import type { AttemptEnd } from './host.ts';
import type { WakeableRuns } from './queries.ts';
import type { Outcome } from '../outcome.ts';
import type { Answer, Question } from '../question.ts';
import type { Run } from '../run.ts';
import type { SessionEnd } from '../session.ts';
import type { RecordedTurn, SessionHost } from '../turn.ts';

/** Shown with every write of a holder. */
export interface Fence {
  readonly runId: string;
  readonly epoch: number;
}

export interface NewRun {
  readonly id: string;
  readonly workflow: string;
  readonly input: Json;
  readonly limits: BudgetLimits;
  readonly concurrency: number;
  readonly depth: number;
  readonly traceId: string;
  /** A run started from inside another one lives on that one's budget. */
  readonly within: string | null;
}

export interface RunImage {
  readonly run: Run;
  readonly input: Json;
  readonly entries: ReadonlyMap<string, Entry>;
  /** Attempts that nobody waits for and whose process was not seen to end: a crash came between. They hold their slot
   * until they are ended again. */
  readonly strays: readonly Entry[];
  /** Children that were stopped and have not ended: somebody must advance them to their end. */
  readonly stoppedChildren: readonly string[];
}

export type Claim =
  | { readonly at: 'claimed'; readonly image: RunImage }
  | Held
  | { readonly at: 'over'; readonly run: Run }
  | { readonly at: 'unknown' };

export interface News {
  readonly change: number;
  readonly cancelled: boolean;
  readonly run: Run;
  readonly entries: readonly Entry[];
}

export interface PutEntry {
  readonly key: string;
  readonly kind: Extract<EntryKind, 'step' | 'race'>;
  readonly attempt: number;
  readonly state: Extract<Entry['state'], { at: 'retrying' | 'done' | 'failed' }>;
}

export interface OpenEntry {
  readonly key: string;
  readonly kind: Exclude<EntryKind, 'step' | 'race'>;
  readonly spec: Json;
  /** Higher goes first when slots are short. */
  readonly priority: number;
  /** When a sleep is due (wall clock). */
  readonly dueAt?: number;
}

export interface Candidate {
  readonly key: string;
  readonly attempt: number;
  readonly ask: Reservation;
  /** For a session: what its row holds. The store makes `baseId` unique. */
  readonly session: NewSession | null;
}

export interface NewSession {
  readonly baseId: string;
  readonly agent: string;
  readonly driver: string;
  readonly tier: string;
  readonly turn: number;
  readonly continues: string | null;
  readonly host: SessionHost;
  readonly parent: string | null;
  readonly requester: string;
  readonly tags: readonly string[];
}

/** A session that somebody asks for by name: its run begins with it, and has its id. */
export interface SessionRequest {
  readonly run: Omit<NewRun, 'id'>;
  /** Under which its first turn will be launched. */
  readonly key: string;
  readonly session: NewSession;
  /** `now`: it is refused when no slot is free. `queue`: it takes one when its turn comes. */
  readonly slot: 'now' | 'queue';
}

/** An attempt whose process is gone while no process advances its run, with what it left. */
export interface EndedAttempt extends AttemptEnd {
  readonly ref: AttemptRef;
}

export type SessionStarted =
  | { readonly at: 'started'; readonly id: string }
  | { readonly at: 'full'; readonly max: number }
  | { readonly at: 'refused'; readonly failure: Failure };

export interface Admitted {
  readonly launched: readonly Entry[];
  /** Turned down for good; their entries are `failed` now and come as news. */
  readonly refused: readonly string[];
  /** Found no slot. Candidates in none of the three lists are no longer wanted. */
  readonly waiting: readonly string[];
  /** When the run's wall time is over; the launches must be gone by then. */
  readonly wallEndsAt: number | null;
}

export interface RunEnd {
  readonly outcome: Outcome;
  readonly value: Json;
  readonly failure: Failure | null;
}

/** Thrown when the claim was lost: the process stops at once and has written nothing. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/** Thrown when a key has more than 1024 bytes or a NUL character (`faultOfKey`): nothing was written. */
export class InvalidKey extends Error {
  override readonly name = 'InvalidKey';
}

/** An entry that has ended, as the caller saw it: what it decided from. */
export interface SeenEntry extends Pick<Entry, 'key' | 'attempt'> {
  readonly at: Entry['state']['at'];
}

/**
 * Another process holds it, so nothing was changed. The store cannot see whether that process lives: a caller that finds it dead
 * asks again and names it among the gone (`src/kernel/past-gone.ts`).
 */
export interface Held {
  readonly at: 'held';
  readonly by: Holder;
}

/** The run was stopped after the changer had looked at it, so nothing was changed. */
interface StoppedSince {
  readonly at: 'stopped';
}

export type Amended = { readonly at: 'amended' } | StoppedSince | Held;
/** `unchanged`: the run runs already, or ended by itself. */
export type RunResumed = { readonly at: 'resumed' } | { readonly at: 'unchanged' } | StoppedSince | Held;
export type Reopened =
  | { readonly at: 'reopened'; readonly keys: readonly string[] }
  /** One of the entries is no longer as the caller saw it, and nothing was changed: read them and decide again. */
  | { readonly at: 'changed' }
  | StoppedSince
  | Held;

/**
 * What an engine must offer: fenced keyed writes, a wake-up, and admission. Every method is one transition: all of it is
 * durable when the promise resolves, or none of it happened. Budget and events are part of the same transition. Arguments and
 * results are plain data. Transitions that one process asks for happen, and are answered, in the order in which it asked; those
 * of one turn of the event loop are answered together. `subscribe` alone takes a function, which stays on the caller's side and
 * hears that it should look.
 */
export interface Store extends WakeableRuns {
  // ── the driver; every write shows the claim's fence
  claim(runId: string, facts: LeaseFacts, leaseMs: number): Promise<Claim>;
  put(fence: Fence, entry: PutEntry, events?: readonly EmittedEvent[]): Promise<void>;
  /** Inserts the entry, or its next attempt; otherwise changes nothing. Returns what is there. */
  open(fence: Fence, entry: OpenEntry, events?: readonly EmittedEvent[]): Promise<Entry>;
  /** In the given order, until a slot is missing. */
  admit(fence: Fence, candidates: readonly Candidate[]): Promise<Admitted>;
  /** Nobody waits for these any more. Those that were launched keep their slot until their end is reported. */
  drop(fence: Fence, keys: readonly string[]): Promise<void>;
  /** What changed from outside after `seen`. */
  news(fence: Fence, seen: number): Promise<News>;
  /** Gives the claim up, unless there is news: then false, and the claim stays. */
  park(fence: Fence, seen: number): Promise<boolean>;
  /** Gives the claim up while there is work under way, for the process that advances next. */
  release(fence: Fence): Promise<void>;
  finish(fence: Fence, end: RunEnd, events?: readonly EmittedEvent[]): Promise<void>;
  budget(runId: string): Promise<Budget>;
  /** Turns that were ever opened under these keys, in that order, each with the prompt it was opened with. */
  turns(runId: string, keys: readonly string[]): Promise<readonly RecordedTurn[]>;
  /** Keeps every claim of this holder alive. */
  renew(holder: Holder, until: number): Promise<void>;

  // ── anybody; fenced by the attempt, or by nothing because first write wins
  /** With a lease the run is recorded together with its holder, so that no other process can claim it in between. */
  start(run: NewRun, lease?: Lease): Promise<'started' | 'exists'>;
  /** Creates a run, its first session and, if wanted now, the slot of that session; or nothing at all. Slots of `ended`
   * are given back before, in the same transition. */
  startSession(
    request: SessionRequest,
    lease?: Lease,
    ended?: readonly EndedAttempt[],
  ): Promise<SessionStarted>;
  /** The process of a session runs now. False: it was known to, or has ended. */
  begin(ref: AttemptRef): Promise<boolean>;
  /** `endedAt`: when the work ended; absent: when its session ended, or now. */
  complete(
    ref: AttemptRef,
    completion: Completion,
    session: SessionEnd | null,
    endedAt?: number,
  ): Promise<boolean>;
  /** First write wins, whether the question was asked yet or not. False: it already has an answer. `made`: told to the audit if it counts. */
  answer(runId: string, key: string, answer: Answer, made?: DecisionEvent): Promise<boolean>;
  /** A session that waits to start continues the conversation of another. False: it runs already, or has ended. */
  continueSession(sessionId: string, continues: string): Promise<boolean>;
  /** A session at work asks a person, and calls the question by a number. False: it has asked that before, or has ended. */
  askInSession(sessionId: string, request: number, question: Question): Promise<boolean>;
  /** First write wins. False: it has an answer, was never asked, or its session has ended. `made` as for `answer`. */
  answerInSession(sessionId: string, request: number, answer: Answer, made?: DecisionEvent): Promise<boolean>;
  /** Stops the run and all below it. `by`: who wants it; null or absent: not known, which counts as a person. `at`: when it
   * was stopped, where that is recorded later. False: it has ended or is being stopped; the stop counts for changers that
   * looked at the run before. */
  cancel(runId: string, by?: string | null, at?: number): Promise<boolean>;
  /** A stop of every run that has ended counts for changers that looked at one before. */
  cancelEnded(): Promise<void>;
  /** Gives the run a new input; what did not change keeps its results. With a changer, here and below: `held`, or the changer
   * holds the run afterwards, as it asks. */
  amend(runId: string, run: Pick<NewRun, 'input' | 'concurrency' | 'limits'>, by?: Changer): Promise<Amended>;
  /** Lets these ended entries run again, if every one of them is still as the caller saw it; wakes the run if it is over. */
  reopen(runId: string, entries: readonly SeenEntry[], by?: Changer): Promise<Reopened>;
  /** Closes open questions whose asker is gone. A workflow that still needs an answer asks again. Returns the keys. */
  withdraw(runId: string, keys: readonly string[]): Promise<readonly string[]>;
  /** Nothing more is launched, by this run or by any below it. `by` as for `cancel`. */
  halt(runId: string, reason: string, by?: string | null): Promise<boolean>;
  /** Back to running from halted. The changer holds a run that is running, too. */
  resume(runId: string, by?: Changer): Promise<RunResumed>;
  /** Marks a halting run as halted once nothing of it is launched. */
  settleHalt(fence: Fence): Promise<boolean>;
  /** Calls back after a transition that this part did not make: another process did, or another part of this one. */
  subscribe(callback: () => void): Disposable;
}
