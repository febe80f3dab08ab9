import type { Reservation } from '../model/budget.ts';
import type { Holder } from '../model/holder.ts';
import type { Clock } from '../model/ports/clock.ts';
import type { Host } from '../model/ports/host.ts';
import type { StopWishes } from '../model/ports/stop-wishes.ts';
import type { Store } from '../model/ports/store.ts';
import type { Workflow } from './ctx.ts';

/** Everything the engine needs from outside; a test owns all of it. */
export interface EngineParts {
  readonly store: Store;
  readonly host: Host;
  readonly clock: Clock;
  readonly workflows: ReadonlyMap<string, Workflow>;
  readonly me: Holder;
  readonly isAlive: (holder: Holder) => boolean;
  readonly leaseMs: number;
  /** Absent: the database is the only one to say that a run is to stop. */
  readonly wishes?: StopWishes;
  /** What a turn of an agent that never ended one is expected to take; absent: nothing is reserved for it. */
  readonly firstTurn?: Reservation;
}
