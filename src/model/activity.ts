import type { LimitKind } from './limit-pause.ts';
import type { SessionStatus } from './session.ts';

/** What a session does right now (P6), from what its launcher and its driver's protocol tell, never from screen text. */
export type Activity =
  | { readonly at: 'starting' }
  | { readonly at: 'working' }
  /** For a person, who must know for what. */
  | { readonly at: 'waiting'; readonly for: string }
  | { readonly at: 'limit-paused'; readonly until: number | null; readonly kind?: LimitKind }
  /** It lives, and has not said anything since. */
  | { readonly at: 'stalled'; readonly since: number }
  /** Its process vanished and left no word. */
  | { readonly at: 'dead' }
  | { readonly at: 'finished' };

/** What is known about a session that somebody looks at. */
export interface ActivityFacts {
  readonly status: SessionStatus;
  /** Whether its launcher lives; null when it has not been started. */
  readonly alive: boolean | null;
  /** The last thing its protocol told, if that was a wait. */
  readonly told: Extract<Activity, { at: 'waiting' | 'limit-paused' }> | null;
  /** When it was last heard of, and how long its silence may be. */
  readonly heardAt: number;
  readonly stallMs: number;
  readonly now: number;
}

/** A wait that was told is no stall, however long it lasts. */
export function activityOf(facts: ActivityFacts): Activity {
  const { status, alive, told, heardAt, stallMs, now } = facts;
  switch (status) {
    case 'COMPLETED':
    case 'FAILED':
    case 'KILLED':
      return { at: 'finished' };
    case 'CREATED':
    case 'RUNNING':
      if (alive === null) return { at: 'starting' };
      if (!alive) return { at: 'dead' };
      if (told !== null) return told;
      return now - heardAt >= stallMs ? { at: 'stalled', since: heardAt } : { at: 'working' };
  }
}
