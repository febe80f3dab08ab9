import type { Entry } from '../../model/entry.ts';
import type { Holder } from '../../model/holder.ts';
import type { Run } from '../../model/run.ts';
import type { Slots } from '../../model/ports/queries.ts';

interface QueueFacts {
  readonly run: Run;
  /** The living process that advances it. */
  readonly holder: Holder | null;
  readonly slots: Slots;
  readonly maxSessions: number;
  /** The run is stopped, and the database does not know it yet. */
  readonly stopKept: boolean;
  /** It executes a plan that a person refused. */
  readonly isRefused: boolean;
}

/** What a part that could be launched waits for, in words. The same order as that of admission. */
export function whyQueued({ kind }: Pick<Entry, 'kind'>, facts: QueueFacts): string {
  const { run, holder, slots, maxSessions, stopKept, isRefused } = facts;
  if (isRefused) return 'waits until its plan, which was refused, is approved';
  if (run.state.at === 'halting' || run.state.at === 'halted')
    return `waits until its run, which is ${run.state.at}, is resumed: tutti resume ${run.id}`;
  if (run.state.at === 'ended' || stopKept) return `waits until its run is resumed: tutti resume ${run.id}`;
  if (holder === null) return 'waits for a process that advances its run';
  if (slots.inRun >= run.concurrency) return `waits for ${oneOf(run.concurrency, 'slot')} of its run`;
  if (kind === 'session' && slots.sessions >= maxSessions)
    return `waits for ${oneOf(maxSessions, 'session slot')} of the project`;
  return 'starts next';
}

function oneOf(count: number, noun: string): string {
  return count === 1 ? `the only ${noun}` : `one of the ${count} ${noun}s`;
}
