import { expect, test } from 'vitest';
import {
  limitIn,
  limitKindOf,
  limitedTurn,
  limitPauseId,
  limitPauseMs,
  limitText,
  pausesAfter,
  resumedTurnId,
} from './limit-pause.ts';

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
  expect(limitedTurn('a/limited-2')).toBeNull();
  expect(limitedTurn(limitPauseId('a/b', 1))).toBe('a/b');
  expect(limitedTurn(limitPauseId('a/b', 3))).toBe(resumedTurnId('a/b', 2));
});

test('the number of a pause follows from the turn before it', () => {
  expect(pausesAfter('a/b')).toBe(1);
  expect(pausesAfter(resumedTurnId('a/b', 2))).toBe(3);
});

test('only an end that the CLI told is named as the end of a limit', () => {
  const at = Date.UTC(2026, 10, 18, 19, 0, 0, 344);
  const after = (ms: number): number => at + ms;
  expect(limitText({ resetAt: after(60_000) }, after(62_000), at)).toBe('usage limit until 19:01:00 UTC');
  expect(limitText({ resetAt: null }, after(60_000), at)).toBe('usage limit, tries again at 19:01:00 UTC');
  expect(limitText({ resetAt: null, kind: 'overload' }, after(60_000), at)).toBe(
    'model overloaded, tries again at 19:01:00 UTC',
  );
  // Too far away to be waited for.
  expect(limitText({ resetAt: after(1e12) }, after(60_000), at)).toBe(
    'usage limit, tries again at 19:01:00 UTC',
  );
  expect(limitText({ resetAt: after(86_400_000) }, null, null)).toBe(
    'usage limit until 2026-11-19 19:00:00 UTC',
  );
  expect(limitText({ resetAt: null }, null, null)).toBe('usage limit');
});

test('an error speaks of an overload, of a limit, or of neither', () => {
  expect(limitIn('529 Overloaded')).toEqual({ kind: 'overload' });
  expect(limitIn('429 Too Many Requests')).toEqual({});
  expect(limitIn('404 not found')).toBeNull();
  expect([limitKindOf('overload'), limitKindOf('else')]).toEqual([{ kind: 'overload' }, {}]);
});
