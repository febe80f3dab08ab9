import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { realClock } from './clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const dayMs = 86_400_000;

test('a timer 30 days away fires in 30 days', () => {
  const fired = vi.fn<() => void>();
  realClock().timer(Date.now() + 30 * dayMs, fired);
  vi.advanceTimersByTime(30 * dayMs - 1);
  expect(fired).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(fired).toHaveBeenCalledOnce();
});

test('a jump of the clock is noticed within half a minute', () => {
  const fired = vi.fn<() => void>();
  realClock().timer(Date.now() + dayMs, fired);
  vi.setSystemTime(Date.now() + dayMs);
  vi.advanceTimersByTime(30_000);
  expect(fired).toHaveBeenCalledOnce();
});

test('a clock that was set back does not let a timer fire early', () => {
  const fired = vi.fn<() => void>();
  realClock().timer(Date.now() + 10_000, fired);
  vi.setSystemTime(Date.now() - 60_000);
  vi.advanceTimersByTime(60_000);
  expect(fired).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  expect(fired).toHaveBeenCalledOnce();
});

test('a time in the past is due at once, and a disposed timer never', () => {
  const past = vi.fn<() => void>();
  const never = vi.fn<() => void>();
  realClock().timer(0, past);
  realClock().timer(0, never)[Symbol.dispose]();
  vi.advanceTimersByTime(1);
  expect(past).toHaveBeenCalledOnce();
  expect(never).not.toHaveBeenCalled();
});

test('an interval repeats until it is disposed', () => {
  const beat = vi.fn<() => void>();
  const interval = realClock().every(1000, beat);
  vi.advanceTimersByTime(3500);
  interval[Symbol.dispose]();
  vi.advanceTimersByTime(3500);
  expect(beat).toHaveBeenCalledTimes(3);
});

test('monotonic time is that of the machine, and settling lets what is ready run', async () => {
  vi.useRealTimers();
  const clock = realClock();
  const before = clock.monotonic();
  let ran = false;
  setImmediate(() => {
    ran = true;
  });
  await clock.settle();
  expect(ran).toBe(true);
  expect(clock.monotonic()).toBeGreaterThanOrEqual(before);
  const earlier = Date.now();
  const wall = clock.wall();
  expect([earlier <= wall, wall <= Date.now()]).toEqual([true, true]);
});
