/**
 * Calls that were made and have not been answered. A test that waits for none of them to be left knows that nothing can happen
 * any more without time passing or somebody doing something, however long each call takes.
 */
export class PendingCalls {
  /** Every method that was called, by the name of the object and its own. */
  readonly called = new Set<string>();
  #begun = 0;
  #open = 0;
  #ended: (() => void)[] = [];

  /** The same object, with every promise that one of its methods returns counted until it settles. */
  track<T extends object>(target: T, name = ''): T {
    return new Proxy(target, {
      get: (_, member) => {
        const found: unknown = Reflect.get(target, member, target);
        if (typeof found === 'object' && found !== null)
          return this.track(found, `${name}.${String(member)}`);
        if (typeof found !== 'function') return found;
        return (...args: readonly unknown[]): unknown => {
          this.called.add(`${name}.${String(member)}`);
          const value: unknown = Reflect.apply(found, target, args);
          if (value instanceof Promise) this.#count(value);
          return value;
        };
      },
    });
  }

  /** Resolves when no call is open and none was made during a whole turn of the event loop. */
  async none(): Promise<void> {
    for (;;) {
      while (this.#open > 0) await this.#oneEnds();
      const seen = this.#begun;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      if (this.#open === 0 && this.#begun === seen) return;
    }
  }

  #count(call: Promise<unknown>): void {
    this.#begun += 1;
    this.#open += 1;
    const end = (): void => {
      this.#open -= 1;
      for (const tell of this.#ended.splice(0)) tell();
    };
    call.then(end, end);
  }

  #oneEnds(): Promise<void> {
    return new Promise((resolve) => {
      this.#ended.push(resolve);
    });
  }
}
