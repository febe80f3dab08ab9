import { nextLook } from '../../lib/keep-looking.ts';
import type { Clock } from '../../model/ports/clock.ts';

const lookEveryMs = 50;

/** Resolves with true as soon as it is so, with false when the time is over. */
export async function waitUntil(
  clock: Clock,
  ms: number | null,
  isSo: () => Promise<boolean>,
): Promise<boolean> {
  const end = ms === null ? Number.POSITIVE_INFINITY : clock.monotonic() + ms;
  for (;;) {
    if (await isSo()) return true;
    if (clock.monotonic() >= end) return false;
    await nextLook(clock, lookEveryMs);
  }
}
