import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDuration, parseDurationMs, writeDuration } from './duration.ts';

test.each([
  ['90', 90_000],
  ['0.5', 500],
  ['250ms', 250],
  ['90s', 90_000],
  ['10m', 600_000],
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['2d', 172_800_000],
])('%s is %d ms', (text, durationMs) => {
  expect(parseDurationMs(text)).toBe(durationMs);
});

test.each(
  ['', 'x', '10', '-1', '1h 30m', '1hm', 'h', '1e3', ' 1', '1\n', '.5', '1.h'].filter(
    (text) => text !== '10',
  ),
)('%j is no duration', (text) => {
  expect(parseDurationMs(text)).toBeNull();
});

test('a number that no clock can reach is no duration', () => {
  expect(parseDurationMs('9'.repeat(400))).toBeNull();
  expect(parseDurationMs(`${'9'.repeat(400)}d`)).toBeNull();
});

test('any text is read or refused, and what is read is a whole number', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9.mshd ]{0,12}$/), (text) => {
      const durationMs = parseDurationMs(text);
      expect(durationMs === null || (Number.isSafeInteger(durationMs) && durationMs >= 0)).toBe(true);
    }),
  );
});

test.each([
  [-5, '0.0s'],
  [0, '0.0s'],
  [449, '0.4s'],
  [9_949, '9.9s'],
  [9_950, '10s'],
  [59_499, '59s'],
  [59_500, '1m 00s'],
  [187_000, '3m 07s'],
  [3_599_499, '59m 59s'],
  [3_599_500, '1h 00m'],
  [7_500_000, '2h 05m'],
  [360_000_000, '100h 00m'],
])('%d ms reads %s', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

test.each([
  [0, '0s'],
  [250, '250ms'],
  [600_000, '10m'],
  [5_400_000, '1h30m'],
  [2_592_000_000, '30d'],
])('%d ms is written as %s, and read as the same', (durationMs, text) => {
  expect(writeDuration(durationMs)).toBe(text);
  expect(parseDurationMs(text)).toBe(durationMs);
});
