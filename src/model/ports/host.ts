import type { Json } from '../../lib/json.ts';
import type { Completion, LaunchableKind } from '../entry.ts';
import type { AttemptRef } from '../key.ts';
import type { SessionEnd } from '../session.ts';

/** An admitted attempt: the intent to launch it is durable. */
export interface LaunchedAttempt extends AttemptRef {
  readonly kind: LaunchableKind;
  readonly spec: Json;
  readonly sessionId: string | null;
  /** The process must be gone by then (wall clock); null is no limit. */
  readonly deadlineAt: number | null;
}

/** Why an attempt was ended with its run: the run was stopped, or could record nothing any more. */
export const stoppedWithRun = 'the run was stopped';
export const stateRemoved = 'the state of its run was removed';
export type CutOffReason = typeof stoppedWithRun | typeof stateRemoved;

/** Whether an attempt was ended with its run: the next attempt continues its conversation where the CLI can. */
export function isCutOffWithRun(reason: string): boolean {
  return reason === stoppedWithRun || reason === stateRemoved;
}

export interface AttemptEnd {
  readonly completion: Completion;
  readonly session: SessionEnd | null;
  /** When its process ended, by its own files; absent: it had none, or the session says it. */
  readonly endedAt?: number;
}

/**
 * Where attempts run. Contract: what goes wrong with an attempt is in its completion. The promises reject only when the
 * machine itself is in trouble; then nothing is recorded, and the attempt is adopted by the process that advances next.
 * Launching an attempt id twice, at the same time or after a crash, starts at most one process, ever.
 */
export interface Host {
  /** Starts the attempt and follows it to its end. `began` is called when the process of a session runs, before its end. */
  launch(attempt: LaunchedAttempt, began: () => void): Promise<AttemptEnd>;
  /** Finds an attempt that an earlier process may have started: follows it if it lives, takes its result if it ended,
   * or makes sure that it can never start and reports it lost. */
  adopt(attempt: LaunchedAttempt, began: () => void): Promise<AttemptEnd>;
  /** Ends the attempt and every process it started. `launch` or `adopt` then resolves. Where it takes time, the promise
   * resolves when nothing of it is alive, or when it could not be ended. */
  end(attempt: LaunchedAttempt, reason: string): Promise<void> | undefined;
}
