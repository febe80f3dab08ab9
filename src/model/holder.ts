/**
 * A process that drives runs. Process ids are reused, so identity is pid + start time + boot; a lease covers the
 * process that lives but is stuck.
 */
export interface Holder {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** Kernel ticks since boot at which the process started; empty where the system does not tell. */
  readonly startTime: string;
  readonly bootId: string;
}

export interface Lease {
  readonly holder: Holder;
  /** Monotonic time of the holder's boot at which it lapses. */
  readonly until: number;
}

/** Facts about now, given by the caller: the decision itself is pure. */
export interface LeaseFacts {
  readonly me: Holder;
  readonly monotonic: number;
  readonly isAlive: (holder: Holder) => boolean;
}

/** The process that changes a run, and what becomes of the run's holder. */
export interface Changer extends LeaseFacts {
  /** Monotonic time until which it holds the run; null: the run is left to the process that claims it next. */
  readonly until: number | null;
  /** Id of the holder that keeps the run and takes up the change; null: no other process may hold it. */
  readonly beside: string | null;
}

/** A dead holder is replaced at once, a living one only when its lease has lapsed; nobody replaces themselves. */
export function mayTakeOver(lease: Lease | null, facts: LeaseFacts): boolean {
  if (lease === null || lease.holder.id === facts.me.id) return true;
  const { holder } = lease;
  const sameMachine = holder.host === facts.me.host;
  if (sameMachine && holder.bootId !== facts.me.bootId) return true;
  if (sameMachine && !facts.isAlive(holder)) return true;
  return lease.until <= facts.monotonic;
}
