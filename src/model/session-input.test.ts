import { expect, test } from 'vitest';
import { stepIdOf } from './key.ts';
import { sessionKey } from './session-input.ts';

test('each try of a session has a key of its own, the same every time', () => {
  expect([1, 2, 3].map((number) => stepIdOf(sessionKey(number)))).toEqual([
    'session',
    'session/retry-1',
    'session/retry-2',
  ]);
  expect(sessionKey(2)).toBe(sessionKey(2));
});
