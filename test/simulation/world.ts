import { setProbe } from '../../src/lib/probe.ts';
import type { Clock } from '../../src/model/ports/clock.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { VirtualClock } from '../rig/virtual-clock.ts';
import { SimulatedProcess } from './process.ts';
import type { Random } from './random.ts';

export const maxSessions = 2;
export const leaseMs = 30_000;

/** One database for all seeds of a worker: opening one for each would cost more than the simulation itself. */
class Ground {
  clock = new VirtualClock();
  deferred: ((flush: () => void) => void) | null = null;
  readonly store: SqliteStore;

  constructor() {
    const clock: Clock = {
      wall: () => this.clock.wall(),
      monotonic: () => this.clock.monotonic(),
      timer: (at, callback) => this.clock.timer(at, callback),
      every: (ms, callback) => this.clock.every(ms, callback),
      settle: () => this.clock.settle(),
    };
    const schedule = (flush: () => void) => {
      if (this.deferred === null) flush();
      else this.deferred(flush);
    };
    this.store = new SqliteStore({ path: ':memory:', clock, maxSessions, isAlive: () => true, schedule });
    // The first look for other processes' changes always finds one; later ones are what every seed shall see.
    using _looking = this.store.subscribe(() => undefined);
    this.clock.advance(1000);
  }

  clear(): void {
    this.clock = new VirtualClock();
    this.deferred = null;
    const tables = [
      'runs',
      'holders',
      'entries',
      'launches',
      'budgets',
      'sessions',
      'questions',
      'events',
      'blobs',
    ];
    this.store.db.exec(tables.map((table) => `delete from ${table}`).join(';'));
  }
}

let ground: Ground | null = null;

/** The seeded scheduler, the clock and the database of one seed. */
export class SimulatedWorld {
  readonly clock: VirtualClock;
  readonly store: SqliteStore;
  readonly trace: string[] = [];
  readonly #random: Random;
  readonly #ready: (() => void)[] = [];

  /** `grouped`: transitions wait for each other and share a commit, as they do in the product. */
  constructor(random: Random, grouped: boolean) {
    this.#random = random;
    ground ??= new Ground();
    ground.clear();
    this.clock = ground.clock;
    this.store = ground.store;
    if (grouped) {
      ground.deferred = (flush) => {
        const owner = SimulatedProcess.current;
        this.later(() => {
          SimulatedProcess.current = owner;
          flush();
          SimulatedProcess.current = null;
        });
      };
    }
    setProbe((point) => {
      this.trace.push(point);
      SimulatedProcess.current?.boundary();
    });
  }

  readonly later = (resume: () => void): void => {
    this.#ready.push(resume);
  };

  /** Runs what is ready, in an order of chance, until nothing is. */
  async quiet(): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
      if (this.#ready.length === 0) return;
      const [next] = this.#ready.splice(this.#random.below(this.#ready.length), 1);
      next?.();
    }
  }

  close(): void {
    setProbe(null);
    SimulatedProcess.current = null;
  }
}
