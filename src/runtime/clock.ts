import { monotonicMs } from '../lib/process/monotonic.ts';
import type { Clock } from '../model/ports/clock.ts';

/**
 * `setTimeout` fires at once beyond 24 days, and counts time during which the machine was awake. So a far timer is
 * armed in pieces and looks at the wall clock after each: it is at most one piece late after a suspend or a jump of
 * the clock, for one wake-up per piece. Half a minute is what people accept as "on time" for something hours away.
 */
const longestMs = 30_000;

export function realClock(): Clock {
  return {
    wall: () => Date.now(),
    monotonic: monotonicMs,
    timer: wallTimer,
    every(ms, callback, wakefulness = 'awake') {
      const interval = setInterval(callback, ms);
      if (wakefulness === 'idle') interval.unref();
      return { [Symbol.dispose]: () => clearInterval(interval) };
    },
    settle: async () =>
      new Promise((resolve) => {
        setImmediate(resolve);
      }),
  };
}

function wallTimer(at: number, callback: () => void): Disposable {
  let timeout: NodeJS.Timeout;
  const look = (): void => {
    if (Date.now() >= at) callback();
    else arm();
  };
  const arm = (): void => {
    timeout = setTimeout(look, Math.min(Math.max(at - Date.now(), 0), longestMs));
  };
  arm();
  return { [Symbol.dispose]: () => clearTimeout(timeout) };
}
