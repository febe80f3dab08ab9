import type { Workflow } from '../../src/kernel/ctx.ts';
import { Engine, type AdvanceEnd } from '../../src/kernel/engine.ts';
import type { Holder } from '../../src/model/holder.ts';
import type { Clock } from '../../src/model/ports/clock.ts';
import type { Host } from '../../src/model/ports/host.ts';
import type { Fence, Store } from '../../src/model/ports/store.ts';
import { holder } from '../rig/engine.ts';

export interface ProcessParts {
  readonly n: number;
  readonly store: Store;
  readonly host: Host;
  readonly clock: Clock;
  readonly workflow: Workflow;
  readonly isAlive: (holder: Holder) => boolean;
  readonly leaseMs: number;
  /** Something is ready to run; the scheduler decides when. */
  readonly later: (resume: () => void) => void;
  /** A fenced write that was accepted or refused. */
  readonly wrote: (process: SimulatedProcess, method: string, fence: Fence, accepted: boolean) => void;
}

/** Thrown into a process to end it in the middle of something; nothing in it sees it. */
class Crash extends Error {
  override readonly name = 'Crash';
}

const fenced = new Set(['put', 'open', 'admit', 'drop', 'news', 'park', 'settleHalt', 'finish']);
const never = new Promise<never>(() => undefined);

/**
 * An engine in a process of its own that may be killed between any two effects, or stopped and woken again. Everything
 * that enters it (answers of the store, ends of attempts, timers) passes a gate.
 */
export class SimulatedProcess {
  /** The process whose code is running now. */
  static current: SimulatedProcess | null = null;
  readonly n: number;
  readonly me: Holder;
  gone = false;
  stopped = false;
  /** Boundaries left until it is killed; null is never. */
  fuse: number | null = null;
  readonly advancing = new Set<string>();
  /** A advance ended with an error although nothing was wrong with the store. */
  broken: Error | null = null;
  ends: string[] = [];
  readonly #held: (() => void)[] = [];
  readonly #engine: Engine;
  readonly #parts: ProcessParts;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    this.n = parts.n;
    this.me = holder(parts.n);
    this.#engine = new Engine({
      store: this.#store(parts.store),
      host: this.#host(parts.host),
      clock: this.#clock(parts.clock),
      workflows: new Map([[parts.workflow.name, parts.workflow]]),
      me: this.me,
      isAlive: parts.isAlive,
      leaseMs: parts.leaseMs,
    });
  }

  advance(runId: string): void {
    if (this.advancing.has(runId) || this.gone) return;
    this.advancing.add(runId);
    this.#inside(() => this.#engine.advance(runId, { stay: true })).then(
      (end: AdvanceEnd) => {
        this.advancing.delete(runId);
        this.ends.push(end.at);
      },
      (error: unknown) => {
        this.advancing.delete(runId);
        if (!this.gone) this.broken = error instanceof Error ? error : new Error(String(error));
      },
    );
  }

  kill(): void {
    this.gone = true;
    this.#held.length = 0;
    this.#engine[Symbol.dispose]();
  }

  wake(): void {
    this.stopped = false;
    for (const resume of this.#held.splice(0)) this.#parts.later(resume);
  }

  /** A boundary between two effects of this process. */
  boundary(): void {
    if (this.fuse === null || this.gone) return;
    this.fuse -= 1;
    if (this.fuse > 0) return;
    this.kill();
    throw new Crash();
  }

  #inside<T>(work: () => T): T {
    const before = SimulatedProcess.current;
    SimulatedProcess.current = this;
    try {
      return work();
    } finally {
      SimulatedProcess.current = before;
    }
  }

  /** Something comes in: never for a process that is gone, later for one that is stopped. */
  #enter<T>(promise: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const pass = (deliver: () => void) => {
        if (this.gone) return;
        if (this.stopped) this.#held.push(deliver);
        else deliver();
      };
      promise.then(
        (value) => {
          pass(() => {
            resolve(value);
          });
        },
        (error: unknown) => {
          pass(() => {
            reject(error instanceof Error ? error : new Error(String(error)));
          });
        },
      );
    });
  }

  #call(callback: () => void): () => void {
    return () => {
      if (this.gone) return;
      if (this.stopped) this.#held.push(callback);
      else callback();
    };
  }

  #store(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        if (name === 'subscribe') return (callback: () => void) => target.subscribe(this.#call(callback));
        const found: unknown = Reflect.get(target, name);
        if (typeof found !== 'function') return found;
        return (...args: readonly unknown[]): Promise<unknown> => {
          if (this.gone) return never;
          const answer = this.#inside(() => Reflect.apply(found, target, args) as Promise<unknown>);
          if (fenced.has(String(name))) this.#watch(String(name), args[0] as Fence, answer);
          return this.#enter(answer);
        };
      },
    });
  }

  #watch(method: string, fence: Fence, answer: Promise<unknown>): void {
    answer.then(
      () => {
        this.#parts.wrote(this, method, fence, true);
      },
      () => {
        this.#parts.wrote(this, method, fence, false);
      },
    );
  }

  #host(host: Host): Host {
    const begin =
      (how: 'launch' | 'adopt') =>
      (...[attempt, began]: Parameters<Host['launch']>) => {
        if (this.gone) return never;
        try {
          this.boundary();
          const following = host[how](attempt, began);
          this.boundary();
          return this.#enter(following);
        } catch (error) {
          if (error instanceof Crash) return never;
          throw error;
        }
      };
    return {
      launch: begin('launch'),
      adopt: begin('adopt'),
      end: (attempt, reason) => (this.gone ? undefined : host.end(attempt, reason)),
    };
  }

  #clock(clock: Clock): Clock {
    return {
      wall: () => clock.wall(),
      monotonic: () => clock.monotonic(),
      timer: (at, callback) => clock.timer(at, this.#call(callback)),
      every: (ms, callback) => clock.every(ms, this.#call(callback)),
      settle: () =>
        this.#enter(
          new Promise<void>((resolve) => {
            this.#parts.later(resolve);
          }),
        ),
    };
  }
}
