import type { Clock } from '../../src/model/ports/clock.ts';

interface Timer {
  readonly order: number;
  at: number;
  readonly callback: () => void;
  readonly everyMs: number | null;
  readonly monotonic: boolean;
}

/** Time that moves only when the test says so. Wall time may jump and the machine may sleep; monotonic time does neither. */
export class VirtualClock implements Clock {
  #wall: number;
  #monotonic = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(wall = 1_800_000_000_000) {
    this.#wall = wall;
  }

  wall(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  timer(at: number, callback: () => void): Disposable {
    return this.#add({ order: this.#order, at, callback, everyMs: null, monotonic: false });
  }

  every(ms: number, callback: () => void): Disposable {
    return this.#add({
      order: this.#order,
      at: this.#monotonic + ms,
      callback,
      everyMs: ms,
      monotonic: true,
    });
  }

  settle(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  /** Milliseconds until the next timer of the workflow kind; null when there is none. */
  nextDueMs(): number | null {
    const due = [...this.#timers].filter((timer) => !timer.monotonic).map((timer) => timer.at - this.#wall);
    return due.length === 0 ? null : Math.max(0, Math.min(...due));
  }

  advance(ms: number): void {
    this.#wall += ms;
    this.#monotonic += ms;
    this.#fire();
  }

  /** The administrator or the network set the clock: monotonic time does not notice. */
  jump(ms: number): void {
    this.#wall += ms;
    this.#fire();
  }

  /** The lid was closed: wall time went on, monotonic time did not. */
  suspend(ms: number): void {
    this.jump(ms);
  }

  #add(timer: Timer): Disposable {
    this.#order += 1;
    this.#timers.add(timer);
    return {
      [Symbol.dispose]: () => {
        this.#timers.delete(timer);
      },
    };
  }

  #fire(): void {
    const due = [...this.#timers]
      .filter((timer) => timer.at <= (timer.monotonic ? this.#monotonic : this.#wall))
      .toSorted((a, b) => a.at - b.at || a.order - b.order);
    for (const timer of due) {
      if (!this.#timers.has(timer)) continue;
      if (timer.everyMs === null) this.#timers.delete(timer);
      else timer.at = this.#monotonic + timer.everyMs;
      timer.callback();
    }
  }
}
