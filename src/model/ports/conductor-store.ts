import type { LeaseFacts } from '../lease.ts';
import type { Held } from './store.ts';

/** The one process that advances a project's runs when no command does. */
export interface ConductorStore {
  /** `taken`: it is the caller from now on, who renews the lease by asking again. */
  takeConductor(facts: LeaseFacts, leaseMs: number): Promise<{ readonly at: 'taken' } | Held>;
  leaveConductor(pid: number): Promise<void>;
}
