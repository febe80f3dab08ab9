import type { Json } from '../lib/json.ts';
import type { Failure } from './failure.ts';
import type { Outcome } from './outcome.ts';

/**
 * ```
 *   running ──finish──▶ ended
 *      │  ▲                │
 *     halt resume        resume, amend
 *      ▼  │                │
 *   halting ─▶ halted ◀────┘ (back to running)
 * ```
 * `halting` lets what is under way finish and admits nothing new. Waiting for a person, a limit or a timer is not a
 * state of its own: it follows from the entries.
 */
export type RunState =
  | { readonly at: 'running' }
  | { readonly at: 'halting'; readonly reason: string }
  | { readonly at: 'halted'; readonly reason: string }
  | {
      readonly at: 'ended';
      readonly outcome: Outcome;
      readonly value: Json;
      readonly failure: Failure | null;
    };

export interface Run {
  readonly id: string;
  readonly workflow: string;
  readonly state: RunState;
  /** Raised with every claim; a process that shows an older number can write nothing. */
  readonly epoch: number;
  /** Number of the last change from outside. */
  readonly change: number;
  readonly cancelled: boolean;
  /** How often it was stopped, also after it had ended. */
  readonly stops: number;
  /** Who halted or stopped it; null: not known, or it was not. */
  readonly stoppedBy: string | null;
  /** The run whose budget this one lives on; itself for a run that a person started. */
  readonly rootId: string;
  readonly parent: { readonly runId: string; readonly key: string } | null;
  /** How deep in sessions this run was started; a session of it runs one deeper. */
  readonly depth: number;
  readonly traceId: string;
  readonly concurrency: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

export function isOver(state: RunState): boolean {
  return state.at === 'ended' || state.at === 'halted';
}

/** Whether a halt or a stop is a person's word. An unknown author counts as a person. */
export function isByPerson(by: string | null): boolean {
  return by === null || by.startsWith('user:');
}

/** Whether the run was halted or stopped, and not continued since. */
export function rests({ state, cancelled }: Pick<Run, 'state' | 'cancelled'>): boolean {
  return cancelled || state.at === 'halting' || state.at === 'halted';
}

/** Nothing is admitted while a run drains or stands still. */
export function admitsLaunches(run: Pick<Run, 'state' | 'cancelled'>): boolean {
  return run.state.at === 'running' && !run.cancelled;
}

/**
 * What one word people see for a run. `waiting` and `paused` come from its entries; `undriven`: it could continue, and no
 * process that lives advances it.
 */
export type RunSummary = 'running' | 'undriven' | 'waiting' | 'paused' | 'halting' | 'halted' | 'ended';

export function outcomeOfRun(state: RunState): Outcome | null {
  switch (state.at) {
    case 'ended':
      return state.outcome;
    case 'halted':
      return 'HALTED';
    case 'running':
    case 'halting':
      return null;
  }
}
