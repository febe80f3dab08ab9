import { expect, test } from 'vitest';
import { isLimitPause, limitedTurn, limitPauseId, limitPauseMs, resumedTurnId } from './limit-pause.ts';

const now = 1_000_000;

test.each([
  ['a reset that was told is waited for, with a little grace', now + 60_000, 1, 62_000],
  ['one that is over is tried at once', now - 5, 1, 1000],
  ['and with patience when it is told again', now - 5, 2, 120_000],
  ['one in the next century is nobody’s plan', now + 1e12, 1, 60_000],
  ['without one the pauses grow', null, 1, 60_000],
  ['to half an hour', null, 5, 1_800_000],
  ['and no further', null, 99, 1_800_000],
])('%s', (_, resetAt, pauses, ms) => {
  expect(limitPauseMs(resetAt, now, pauses)).toBe(ms);
});

test('a pause is known by its name', () => {
  expect(isLimitPause(limitPauseId('a/b', 2))).toBe(true);
  expect(isLimitPause('a/limited-2')).toBe(false);
  expect(limitedTurn(limitPauseId('a/b', 1))).toBe('a/b');
  expect(limitedTurn(limitPauseId('a/b', 3))).toBe(resumedTurnId('a/b', 2));
});
