import { type Entry, isLaunchable } from './entry.ts';
import type { Session } from './session.ts';

/** When a part that has not ended stopped, or the present where a living process works on it. */
export type Until = (entry: Entry) => number;

/**
 * How long the parts of a step were worked on, from their recorded times. Parts that overlap count once. Time between two
 * parts does not count, so a finished step takes no longer because it is looked at again later; nor does the time that
 * a person takes for an answer, a pause, or the time in the queue for a slot.
 */
export function timeTaken(entries: readonly Entry[], until: Until): number {
  return lengthOf(intervalsOf(entries, until));
}

/**
 * How long a run was worked on: its parts as for a step, and the turns of earlier attempts, whose times the parts no longer
 * have. The time that it stood still, between a halt, a stop or the death of its process and the next resume, does not count.
 */
export function timeOfRun(
  entries: readonly Entry[],
  sessions: readonly Pick<Session, 'startedAt' | 'endedAt'>[],
  until: Until,
): number {
  const turns = sessions.flatMap(({ startedAt, endedAt }) =>
    startedAt === null || endedAt === null ? [] : [[startedAt, endedAt] as const],
  );
  return lengthOf([...intervalsOf(entries, until), ...turns]);
}

type Interval = readonly [from: number, to: number];

function intervalsOf(entries: readonly Entry[], until: Until): readonly Interval[] {
  return entries
    .filter(
      ({ kind, state }) => kind !== 'ask' && kind !== 'sleep' && !(isLaunchable(kind) && state.at === 'open'),
    )
    .map((entry) => [entry.openedAt, entry.endedAt ?? until(entry)] as const);
}

/** Of all of them together; where several overlap, once. */
function lengthOf(intervals: readonly Interval[]): number {
  let total = 0;
  let counted = Number.NEGATIVE_INFINITY;
  for (const [from, to] of intervals.toSorted(([a], [b]) => a - b)) {
    total += Math.max(0, to - Math.max(from, counted));
    counted = Math.max(counted, to);
  }
  return total;
}
