import { recorded } from '../lib/json.ts';

/**
 * How anything ended, at every layer and for every command: one closed union, one exit code each.
 * 0–21 are seed A's; 22–24 and 64, 69 are ours.
 */
export const exitCodes = {
  SUCCESS: 0,
  FAILURE: 1,
  DEPTH_EXCEEDED: 2,
  HUMAN_INPUT: 3,
  NEEDS_REFINEMENT: 10,
  NEEDS_ESCALATION: 11,
  PARTIAL_SUCCESS: 12,
  INTERRUPTED: 20,
  TIMEOUT: 21,
  LIMIT_PAUSED: 22,
  BUDGET_EXCEEDED: 23,
  HALTED: 24,
  USAGE: 64,
  UNAVAILABLE: 69,
} as const;

export type Outcome = keyof typeof exitCodes;

/** Everything but success: what a failure may carry. */
export type BadOutcome = Exclude<Outcome, 'SUCCESS'>;

export const outcomes = recorded<readonly Outcome[]>(Object.keys(exitCodes));

export function exitCodeOf(outcome: Outcome): number {
  return exitCodes[outcome];
}

/**
 * Which of several bad ends names the whole: the one a person must know first. DEPTH_EXCEEDED leads because no layer
 * may absorb it (seed A §5).
 */
const gravest: readonly Outcome[] = [
  'DEPTH_EXCEEDED',
  'BUDGET_EXCEEDED',
  'UNAVAILABLE',
  'USAGE',
  'INTERRUPTED',
  'HALTED',
  'LIMIT_PAUSED',
  'HUMAN_INPUT',
  'NEEDS_ESCALATION',
  'NEEDS_REFINEMENT',
  'TIMEOUT',
  'FAILURE',
  'PARTIAL_SUCCESS',
  'SUCCESS',
];

export function gravestOf(found: readonly Outcome[]): Outcome {
  return gravest.find((outcome) => found.includes(outcome)) ?? 'SUCCESS';
}
