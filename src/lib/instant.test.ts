import { expect, test } from 'vitest';
import { formatInstant } from './instant.ts';

test('an instant is written to the second in UTC, without its date on the same day', () => {
  const at = Date.UTC(2026, 10, 18, 19, 20, 5, 344);
  expect(formatInstant(at)).toBe('2026-11-18 19:20:05 UTC');
  expect(formatInstant(at, at - 3_600_000)).toBe('19:20:05 UTC');
  expect(formatInstant(at, at - 86_400_000)).toBe('2026-11-18 19:20:05 UTC');
});

test('a number that is no time is written as an unknown one', () => {
  for (const at of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
    expect(formatInstant(at)).toBe('an unknown time');
  }
});
