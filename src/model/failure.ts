import type { Json } from '../lib/json.ts';
import type { BadOutcome } from './outcome.ts';

/** Why something did not succeed: closed, so that code can decide on it. */
export type FailureReason =
  /** A program ended with a code other than 0. */
  | 'exit'
  /** A program was ended by a signal that Tutti did not send. */
  | 'signal'
  /** A deadline passed; the whole process tree was ended. */
  | 'timeout'
  /** The agent ended without the result it owes. */
  | 'no-result'
  /** The agent's result is not what the contract says. */
  | 'invalid-result'
  /** The agent itself says that it failed. */
  | 'reported'
  /** Evidence did not pass a gate. */
  | 'gate'
  /** Nothing changed since the last failure, so trying again would only cost (P9). */
  | 'no-progress'
  /** The process vanished and left no result. */
  | 'lost'
  /** A ceiling of the run's budget was reached before the launch. */
  | 'budget'
  /** Sessions may not nest any deeper. */
  | 'depth'
  /** Something needed is not there: a program, an agent, a file. */
  | 'unavailable'
  /** The model refused the key or the sign-in, or the CLI has none. */
  | 'sign-in'
  /** A recorded cassette has no turn for this prompt. */
  | 'unmatched'
  /** A person or a parent ended it. */
  | 'ended'
  /** A part of the run that this one needs did not succeed. */
  | 'needs'
  /** Workflow code threw: a bug, or a broken rule of workflow code. */
  | 'error';

export interface Failure {
  readonly outcome: BadOutcome;
  readonly reason: FailureReason;
  /** One sentence for a person. */
  readonly message: string;
  /** What was seen: output tail, paths, codes. Data for people and for a healing turn, never trusted. */
  readonly evidence?: Json;
}

export function failure(
  reason: FailureReason,
  message: string,
  rest: { readonly outcome?: BadOutcome; readonly evidence?: Json } = {},
): Failure {
  const { outcome = usualOutcome[reason], evidence } = rest;
  return evidence === undefined ? { outcome, reason, message } : { outcome, reason, message, evidence };
}

const usualOutcome: Readonly<Record<FailureReason, BadOutcome>> = {
  exit: 'FAILURE',
  signal: 'FAILURE',
  timeout: 'TIMEOUT',
  'no-result': 'FAILURE',
  'invalid-result': 'FAILURE',
  reported: 'FAILURE',
  gate: 'FAILURE',
  'no-progress': 'NEEDS_ESCALATION',
  lost: 'FAILURE',
  budget: 'BUDGET_EXCEEDED',
  depth: 'DEPTH_EXCEEDED',
  unavailable: 'UNAVAILABLE',
  'sign-in': 'UNAVAILABLE',
  unmatched: 'FAILURE',
  ended: 'INTERRUPTED',
  needs: 'FAILURE',
  error: 'FAILURE',
};
