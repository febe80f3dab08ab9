import { expect, test } from 'vitest';
import type { LaunchedAttempt } from '../model/ports/host.ts';
import { FollowedAttempts } from './followed-attempts.ts';

const attempt = (key: string): LaunchedAttempt => ({
  runId: 'r',
  key,
  attempt: 1,
  kind: 'task',
  spec: null,
  sessionId: null,
  deadlineAt: null,
});

test('a slot is free when the process of an attempt has ended, unless its step continues', () => {
  const attempts = new FollowedAttempts(() => undefined);
  expect(attempts.follow(attempt('a'))).toBe(true);
  expect(attempts.follow(attempt('a'))).toBe(false);
  attempts.follow(attempt('b'));
  expect([attempts.size, attempts.isIdle]).toEqual([2, false]);
  attempts.sawEnd(attempt('a'), false);
  attempts.sawEnd(attempt('b'), true);
  expect([attempts.size, attempts.isIdle]).toEqual([1, true]);
});

test('the slot of a step that continues is kept until the workflow has seen the recorded end', () => {
  const attempts = new FollowedAttempts(() => undefined);
  attempts.follow(attempt('a'));
  attempts.sawEnd(attempt('a'), true);
  // Not recorded yet: news that are read now do not contain it.
  attempts.tell();
  attempts.forgetTold();
  expect(attempts.size).toBe(1);
  attempts.recorded(attempt('a'));
  attempts.forgetTold();
  expect(attempts.size).toBe(1);
  attempts.tell();
  attempts.forgetTold();
  expect(attempts.size).toBe(0);
});

test('an attempt is ended once, and its end is known to be no result', async () => {
  const ended: string[] = [];
  let gone = (): void => undefined;
  const attempts = new FollowedAttempts(({ key }, reason) => {
    ended.push(`${key}: ${reason}`);
    return new Promise((resolve) => {
      gone = resolve;
    });
  });
  attempts.follow(attempt('a'));
  attempts.endAll('stopped');
  attempts.endAll('again');
  expect(ended).toEqual(['a: stopped']);
  expect(attempts.alive().map(({ at }) => at)).toEqual(['ending']);
  gone();
  await attempts.untilEnded();
  expect(attempts.sawEnd(attempt('a'), false)).toBe(true);
  attempts.follow(attempt('b'));
  expect(attempts.sawEnd(attempt('b'), false)).toBe(false);
});
