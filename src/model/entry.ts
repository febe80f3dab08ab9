import type { Json } from '../lib/json.ts';
import type { Failure } from './failure.ts';
import type { Outcome } from './outcome.ts';

/**
 * A step as the store keeps it: found again by its key, never by its position.
 *
 * ```
 *            open ──admit──▶ launched ──▶ done | failed | lost
 *   (absent) ─┤                └── drop ──▶ dropped
 *             └─ ask, sleep, child: open ──▶ done | failed
 *   local step: (absent) ──▶ retrying ──▶ done | failed
 *   any ended state ── reopen ──▶ reopened ──▶ (next attempt)
 * ```
 * `lost`, `dropped` and `reopened` may be opened again, with the next attempt number.
 */
/** `task` is an operation of the machine, by the word that has always been recorded. */
export type EntryKind = 'step' | 'task' | 'session' | 'ask' | 'sleep' | 'child' | 'race';

export type EntryState =
  /** Waits for something outside; an operation or session also waits for admission. */
  | { readonly at: 'open' }
  /** Admitted: it holds its slot and its part of the budget, and may have a live process. */
  | { readonly at: 'launched' }
  /** A local step failed and will be tried again. */
  | { readonly at: 'retrying'; readonly failure: Failure }
  /** Recorded for good. A turn that was paid for is `done` even when its outcome is bad. */
  | { readonly at: 'done'; readonly outcome: Outcome; readonly value: Json }
  | { readonly at: 'failed'; readonly failure: Failure }
  /** Its process or host vanished without a result. */
  | { readonly at: 'lost' }
  /** Ended because nobody needs it any more: the loser of a race, a stopped run, an edited plan. */
  | { readonly at: 'dropped' }
  /** A person asked for it to run again. */
  | { readonly at: 'reopened' };

export interface Entry {
  readonly key: string;
  readonly kind: EntryKind;
  /** Which try this is, from 1. Late results of an earlier one are refused. */
  readonly attempt: number;
  readonly state: EntryState;
  /** How many attempts in a row vanished; a stop or a reopening begins again. */
  readonly losses: number;
  readonly spec: Json;
  /** Set at admission of a session. */
  readonly sessionId: string | null;
  /** Number of the change that last touched it from outside; what the holder has seen is a number too. */
  readonly change: number;
  /** Higher goes first when slots are short. */
  readonly priority: number;
  /** When a sleep is over (wall clock). */
  readonly dueAt: number | null;
  /** When it was opened; of an operation or session that was launched, when it was launched. */
  readonly openedAt: number;
  readonly endedAt: number | null;
}

/** What an outside party reports of an attempt. */
export type Completion = Extract<EntryState, { at: 'done' | 'failed' | 'lost' | 'dropped' }>;

/** Whether the work was finished before anybody ended it: it is paid for, and recording it saves paying again. */
export function endedByItself(completion: Completion): boolean {
  return completion.at === 'done' && completion.outcome !== 'INTERRUPTED';
}

/** Kinds that run on a host and pass admission. */
export type LaunchableKind = 'task' | 'session';

export function isLaunchable(kind: EntryKind): kind is LaunchableKind {
  return kind === 'task' || kind === 'session';
}

export function isWaiting({ at }: { readonly at: EntryState['at'] }): boolean {
  return at === 'open' || at === 'launched';
}

/** May the holder open this key (again)? Then with which attempt? Null: what is there stands. */
export function nextAttempt(existing: Pick<Entry, 'attempt' | 'state'> | undefined): number | null {
  if (existing === undefined) return 1;
  switch (existing.state.at) {
    case 'lost':
    case 'dropped':
    case 'reopened':
      return existing.attempt + 1;
    case 'open':
    case 'launched':
    case 'retrying':
    case 'done':
    case 'failed':
      return null;
  }
}

/** Only the current attempt may report, and only while it is awaited. */
export function acceptsCompletion(existing: Pick<Entry, 'attempt' | 'state'>, attempt: number): boolean {
  return existing.attempt === attempt && isWaiting(existing.state);
}

export function outcomeOfState(state: EntryState): Outcome | null {
  switch (state.at) {
    case 'done':
      return state.outcome;
    case 'failed':
      return state.failure.outcome;
    case 'lost':
      return 'FAILURE';
    case 'dropped':
      return 'INTERRUPTED';
    case 'open':
    case 'launched':
    case 'retrying':
    case 'reopened':
      return null;
  }
}
