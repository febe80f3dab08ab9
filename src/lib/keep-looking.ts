/** The part of a clock that repeats. */
interface Repeating {
  every(ms: number, callback: () => void): Disposable;
}

/**
 * Looks again and again, one look after another: a look that takes longer than the interval delays the next one. A look that
 * fails is tried again. Disposing waits for a look that is under way, so that none uses what is closed next.
 */
export function keepLooking(clock: Repeating, ms: number, look: () => Promise<unknown>): AsyncDisposable {
  let underWay: Promise<unknown> | null = null;
  const ticks = clock.every(ms, () => {
    if (underWay !== null) return;
    underWay = look()
      .catch(() => undefined)
      .finally(() => {
        underWay = null;
      });
  });
  return {
    async [Symbol.asyncDispose]() {
      ticks[Symbol.dispose]();
      await underWay;
    },
  };
}

/** Resolves when the time is over. */
export function nextLook(clock: Repeating, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const ticks = clock.every(ms, () => {
      ticks[Symbol.dispose]();
      resolve();
    });
  });
}
