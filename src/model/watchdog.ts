import { formatInstant } from '../lib/instant.ts';
import { formatBytes } from '../lib/bytes.ts';
import { formatDuration } from '../lib/duration.ts';
import type { Activity } from './activity.ts';
import type { Ending } from './driver.ts';
import type { SessionWarning } from './event.ts';
import type { ResourceLimits } from './limits.ts';

/** What is known about a session that has not ended in the tables. */
export interface WatchFacts {
  /**
   * `promised`: it was created, holds a slot and was never launched. `waiting`: created, and its turn has not come.
   * `unborn`: launched, and its launcher has not said a word. `vanished`: its launcher is gone without a last one.
   */
  readonly process: 'promised' | 'waiting' | 'unborn' | 'alive' | 'vanished' | 'ended';
  /** A living process advances its run, and will see to it. */
  readonly held: boolean;
  /** Since it runs; since it was created, where it does not. */
  readonly sinceAt: number;
  readonly lifetimeMs: number;
  readonly activity: Activity;
  readonly diskBytes: number;
  readonly limits: Pick<ResourceLimits, 'diskWarnBytes' | 'diskFailBytes'>;
  readonly now: number;
}

/** Told once since then, whoever looks and however often. */
export interface WatchWarning {
  readonly do: 'warn';
  readonly about: SessionWarning;
  readonly since: number;
  readonly message: string;
}

export interface WatchEnding {
  readonly do: 'end';
  readonly ending: Extract<Ending, 'timeout' | 'quota'>;
  readonly reason: string;
}

export type WatchAction =
  | WatchEnding
  | WatchWarning
  /** Its end is recorded, because no other process will. */
  | { readonly do: 'settle' }
  /** It will never start, and gives its slot back. */
  | { readonly do: 'give-up'; readonly reason: string };

/** A launcher ends its session by itself: this is how late it may be before somebody does it for it. */
export const graceMs = 60_000;

/** What a watchdog does about a session: from facts alone, so that it costs nothing to ask again. */
export function watchSession(facts: WatchFacts): readonly WatchAction[] {
  const { process, held, sinceAt, lifetimeMs, now } = facts;
  const stale = now - sinceAt > lifetimeMs + graceMs;
  switch (process) {
    case 'alive':
      return aboutLiving(facts, stale);
    case 'ended':
      return held ? [] : [{ do: 'settle' }];
    case 'vanished':
      return held ? [] : [warn('dead', sinceAt, 'its process vanished without a word'), { do: 'settle' }];
    case 'unborn':
      // Whoever launched it may be between two steps: nothing is taken from them before its time.
      return held || !stale
        ? []
        : [warn('stale', sinceAt, 'it was launched and never seen to run'), { do: 'settle' }];
    case 'promised': {
      const reason = `it was created ${formatDuration(now - sinceAt)} ago and never started`;
      return held || !stale ? [] : [warn('stale', sinceAt, reason), { do: 'give-up', reason }];
    }
    case 'waiting':
      return held || !stale ? [] : [warn('stale', sinceAt, 'it waits, and no process advances its run')];
  }
}

function aboutLiving(facts: WatchFacts, late: boolean): readonly WatchAction[] {
  const { activity, diskBytes, limits, lifetimeMs, sinceAt } = facts;
  if (late) {
    const reason = `Timeout: it may run for ${formatDuration(lifetimeMs)}, and its launcher did not end it`;
    return [{ do: 'end', ending: 'timeout', reason }];
  }
  const uses = `its folder holds ${formatBytes(diskBytes)}`;
  if (diskBytes > limits.diskFailBytes) {
    const reason = `Quota: ${uses}, more than ${formatBytes(limits.diskFailBytes)}`;
    return [{ do: 'end', ending: 'quota', reason }];
  }
  const warnings: WatchAction[] = [];
  if (diskBytes > limits.diskWarnBytes) {
    const ends = `at ${formatBytes(limits.diskFailBytes)} it is ended`;
    warnings.push(warn('disk', sinceAt, `Quota: ${uses}; ${ends}`));
  }
  if (activity.at === 'stalled') {
    const since = formatInstant(activity.since);
    warnings.push(warn('stall', activity.since, `Stalled: nothing heard since ${since}`));
  }
  return warnings;
}

/** All session folders together, told once a day. */
export function watchTotal(bytes: number, warnBytes: number, now: number): readonly WatchWarning[] {
  if (bytes <= warnBytes) return [];
  const message = `Quota: session folders hold ${formatBytes(bytes)}, more than ${formatBytes(warnBytes)}`;
  return [warn('disk', now - dayMs, message)];
}

const dayMs = 86_400_000;

function warn(about: SessionWarning, since: number, message: string): WatchWarning {
  return { do: 'warn', about, since, message };
}
