import type { Clock } from '../../model/ports/clock.ts';

const lookEveryMs = 50;

/** Resolves with true as soon as it is so, with false when the time is over. */
export function until(clock: Clock, ms: number | null, isSo: () => boolean): Promise<boolean> {
  if (isSo()) return Promise.resolve(true);
  const end = ms === null ? Number.POSITIVE_INFINITY : clock.monotonic() + ms;
  return new Promise((resolve) => {
    const looking = clock.every(lookEveryMs, () => {
      const so = isSo();
      if (!so && clock.monotonic() < end) return;
      looking[Symbol.dispose]();
      resolve(so);
    });
  });
}
