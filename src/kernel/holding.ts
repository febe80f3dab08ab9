import type { RunEnd } from '../model/ports/store.ts';

/** How this process stopped advancing the run. */
export type HoldEnd =
  | { readonly at: 'ended'; readonly end: RunEnd }
  | { readonly at: 'halted' }
  /** Only people can continue it, and this process was not to wait for them. */
  | { readonly at: 'parked' }
  /** An attempt of it runs, and that is all this process wanted: the next process continues. */
  | { readonly at: 'handed-over' }
  /** Nothing of it can continue without people, as its caller knows, although attempts live: the next process follows them. */
  | { readonly at: 'left' }
  /** Another process holds it now; this one has written nothing since. */
  | { readonly at: 'fenced' };

/** What a run waits for, the liveliest first. */
export type Waiting = 'work' | 'timer' | 'people';

/** How long this process wants to hold it. */
export interface Patience {
  /** Stay awake although only people can continue it. */
  readonly stay: boolean;
  /** Only until something of it runs. */
  readonly handOver?: boolean;
}

/** The child runs of a run, in this process. */
export interface ChildRuns {
  /** Advances a child run, unless this process does already, and wakes it; resolves when this process has let it go. */
  ensure(runId: string): Promise<unknown>;
  waitingOf(runId: string): Waiting;
}
