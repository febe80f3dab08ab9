import { mustWait, refusalOf, type Budget, type Reservation } from './budget.ts';
import type { LaunchableKind } from './entry.ts';
import type { Failure } from './failure.ts';
import { admitsLaunches, type Run } from './run.ts';

export interface AdmissionFacts {
  readonly run: Pick<Run, 'state' | 'cancelled' | 'depth' | 'concurrency'>;
  readonly kind: LaunchableKind;
  readonly ask: Reservation;
  /** Launches of this run that hold a slot. */
  readonly inRun: number;
  /** Sessions of the whole project that hold a slot. */
  readonly sessions: number;
  readonly maxSessions: number;
  /** Every one that must pay: the root's, and the run's own where it brought one. */
  readonly budgets: readonly Budget[];
  readonly now: number;
}

export type Admission =
  | { readonly verdict: 'admit' }
  /** Stays in the queue; `scope` says whether others of the same run could still go. */
  | { readonly verdict: 'wait'; readonly scope: 'run' | 'kind' }
  | { readonly verdict: 'refuse'; readonly failure: Failure };

/**
 * The one choke point (P4): every launch of every run and process passes here, inside the transaction that records the
 * intent to launch. An operation takes a slot of its run, and neither depth nor session quota nor budget.
 */
export function admission(facts: AdmissionFacts): Admission {
  const { run, kind } = facts;
  if (!admitsLaunches(run)) return { verdict: 'wait', scope: 'run' };
  if (facts.inRun >= run.concurrency) return { verdict: 'wait', scope: 'run' };
  if (kind === 'task') return { verdict: 'admit' };
  for (const budget of facts.budgets) {
    const refused = refusalOf(budget, facts.ask, run.depth + 1, facts.now);
    if (refused !== null) return { verdict: 'refuse', failure: refused };
  }
  if (facts.budgets.some((budget) => mustWait(budget, facts.ask))) return { verdict: 'wait', scope: 'kind' };
  if (facts.sessions >= facts.maxSessions) return { verdict: 'wait', scope: 'kind' };
  return { verdict: 'admit' };
}
