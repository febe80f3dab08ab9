import { type Holder, isAmong } from './holder.ts';

/**
 * How long a run, or the work of the conductor, is held without being renewed. A process that vanished is replaced at once; this
 * is for one that lives and is stuck.
 */
export const leaseMs = 30_000;

export interface Lease {
  readonly holder: Holder;
  /** Monotonic time of the holder's boot at which it lapses. */
  readonly until: number;
}

/** Facts about now, given by the caller: the store sees no processes, and the decision itself is pure. */
export interface LeaseFacts {
  readonly me: Holder;
  readonly monotonic: number;
  /** Holders of this machine that the caller found dead, which stay dead, or that it replaces although they live. */
  readonly gone: readonly Holder[];
}

/** The process that changes a run, and what becomes of the run's holder. */
export interface Changer extends LeaseFacts {
  /** Monotonic time until which it holds the run; null: the run is left to the process that claims it next. */
  readonly until: number | null;
  /** Id of the holder that keeps the run and takes up the change; null: no other process may hold it. */
  readonly beside: string | null;
  /** How often the run had been stopped when the changer looked at it: a stop that came since wins. Absent: no stop is in its way. */
  readonly sawStops?: number;
}

/** A dead holder is replaced at once, a living one only when its lease has lapsed; no process replaces itself. */
export function mayTakeOver(lease: Lease | null, facts: LeaseFacts): boolean {
  if (lease === null || lease.holder.id === facts.me.id) return true;
  const { holder } = lease;
  const sameMachine = holder.host === facts.me.host;
  if (sameMachine && holder.bootId !== facts.me.bootId) return true;
  if (sameMachine && isAmong(holder, facts.gone)) return true;
  return isLapsed(lease, facts.monotonic);
}

/** Whether the holder has not renewed its lease in time: another process may claim what it holds. */
export function isLapsed({ until }: Pick<Lease, 'until'>, monotonic: number): boolean {
  return until <= monotonic;
}
