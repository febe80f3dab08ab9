/** Waits as long as one way to the store takes. */
type Delay = () => Promise<void>;

/** 0 to 20 milliseconds, by chance. */
export function randomDelay(next: () => number): Delay {
  return () =>
    new Promise((resolve) => {
      setTimeout(resolve, Math.floor(next() * 21));
    });
}

/**
 * A store or its queries as if they were in another process: time passes before a call has its effect and before it is
 * answered, and only plain data passes: a function among the arguments or in a result fails the call. As over one connection,
 * calls of one turn of the event loop travel together, and trips happen in the order in which they began.
 */
export function delayed<T extends object>(target: T, delay: Delay): T {
  return behind(target, new Connection(delay));
}

function behind<T extends object>(target: T, connection: Connection): T {
  return new Proxy(target, {
    get(_, name): unknown {
      const found: unknown = Reflect.get(target, name, target);
      if (typeof found === 'object' && found !== null) return behind(found, connection);
      if (typeof found !== 'function') return found;
      // These belong to the caller's side: they end the connection, and hear that something changed.
      if (typeof name === 'symbol' || name === 'subscribe') return found.bind(target) as unknown;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        const sent = structuredClone(args);
        const value = await connection.call((): unknown => Reflect.apply(found, target, sent));
        return name === 'snapshot' ? delayed(value as object, connection.delay) : structuredClone(value);
      };
    },
  });
}

class Connection {
  readonly delay: Delay;
  #trip: Trip | null = null;
  #last: Trip | null = null;

  constructor(delay: Delay) {
    this.delay = delay;
  }

  call(effect: () => unknown): Promise<unknown> {
    if (this.#trip === null) {
      this.#trip = this.#last = new Trip(this.#last, this.delay);
      setImmediate(() => {
        this.#trip = null;
      });
    }
    return this.#trip.carry(effect);
  }
}

/** Calls that travel together: there, their effects, and back. */
class Trip {
  readonly #there: Promise<unknown>;
  readonly #back: Promise<unknown>;
  readonly #effects: (() => unknown)[] = [];
  #results: readonly Promise<unknown>[] = [];

  constructor(before: Trip | null, delay: Delay) {
    const earlier = before === null ? [] : [before.#there];
    this.#there = Promise.all([...earlier, delay(), nextTurn()]).then(() => {
      this.#results = this.#effects.map(async (effect) => effect());
    });
    this.#back = this.#there
      .then(() => Promise.allSettled(this.#results))
      .then(() => Promise.all([before === null ? null : before.#back, delay()]));
  }

  async carry(effect: () => unknown): Promise<unknown> {
    const place = this.#effects.push(effect) - 1;
    await this.#back;
    return this.#results[place];
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
