import { expect, test } from 'vitest';
import { err, ok } from '../../lib/result.ts';
import {
  attemptsOf,
  completeTask,
  failTask,
  widenTask,
  openAgain,
  retryTask,
  skipTask,
  touchedPaths,
  type TaskState,
} from './task-state.ts';
import { startTask } from './work-on-task.ts';

const pending: TaskState = { at: 'pending' };
const begin = { by: 'run', since: 5, snapshot: null };
const running: TaskState = { at: 'running', attempt: 1, ...begin };
const files = { created: ['a'], modified: [] };
const passed = { verdict: 'PASS', criteria: [] } as const;
const end = { endedAt: 9, files, verification: passed, produced: 'p', basis: 'b' };
const done: TaskState = { at: 'done', attempt: 1, since: 5, ...end };
const error = { category: 'test', message: 'no', retryable: true } as const;
const failed: TaskState = { at: 'failed', attempt: 2, since: 5, endedAt: 9, error, rescue: null };
const skipped: TaskState = { at: 'skipped', endedAt: 9, reason: 'later' };

test('only what is being worked on can be done, and only with criteria that passed', () => {
  expect(completeTask(running, end)).toEqual(ok(done));
  expect(completeTask(running, { ...end, verification: { verdict: 'FAIL', criteria: [] } })).toEqual(
    err('did not pass its acceptance criteria'),
  );
  expect(completeTask(done, end)).toEqual(err('is done already'));
  expect(completeTask(pending, end)).toEqual(err('was not started'));
});

test('only what is being worked on can fail', () => {
  expect(failTask(running, { endedAt: 9, error, rescue: 'refs/x' })).toEqual(
    ok({ ...failed, attempt: 1, rescue: 'refs/x' }),
  );
  expect(failTask(done, { endedAt: 9, error, rescue: null })).toEqual(err('is done'));
  expect(failTask(pending, { endedAt: 9, error, rescue: null })).toEqual(err('was not started'));
});

test('whatever became of it may be tried again, and the count of attempts goes on', () => {
  expect(retryTask(running)).toEqual(err('is being worked on by run'));
  expect(retryTask(failed)).toEqual(ok({ at: 'pending', attempts: 2 }));
  expect(retryTask(done)).toEqual(ok({ at: 'pending', attempts: 1, written: ['a'] }));
  expect(retryTask(skipped)).toEqual(ok(pending));
  expect(openAgain(pending)).toEqual(pending);
  expect([pending, running, done, failed, skipped].map(attemptsOf)).toEqual([0, 1, 1, 2, 0]);
});

test('what is done is not skipped', () => {
  expect(skipTask(done, 'later', 9)).toEqual(err('is done'));
  expect(skipTask(pending, 'later', 9)).toEqual(ok(skipped));
});

test('a task that was tried, skipped and reopened continues its count of attempts', () => {
  const left = skipTask(failed, 'later', 9);
  expect(left).toEqual(ok({ ...skipped, attempts: 2 }));
  if (left.ok) expect(retryTask(left.value)).toEqual(ok({ at: 'pending', attempts: 2 }));
});

test('a task that is done by hand may be given further files, each once', () => {
  const byHand = { at: 'running', by: 'ada', attempt: 1, since: 1, snapshot: 'c' } as const;
  expect(widenTask(byHand, ['a', 'b'])).toEqual(ok({ ...byHand, widened: ['a', 'b'] }));
  expect(widenTask({ ...byHand, widened: ['a'] }, ['a', 'c'])).toEqual(
    ok({ ...byHand, widened: ['a', 'c'] }),
  );
  expect(widenTask({ at: 'pending' }, ['a'])).toEqual(err('is not being worked on'));
  expect(widenTask({ ...byHand, snapshot: null, by: 'shop-execute' }, ['a'])).toEqual(
    err('is done by shop-execute, which asks by itself: tutti inbox'),
  );
});

test('paths that a finished attempt wrote or removed stay known, whatever becomes of the task', () => {
  const finished = completeTask(running, { ...end, written: ['gone', 'a'] });
  expect(finished).toEqual(ok({ ...done, written: ['a', 'gone'] }));
  let state = finished.ok ? finished.value : pending;
  const steps = [
    retryTask,
    (now: TaskState) => startTask(now, begin),
    (now: TaskState) => failTask(now, { endedAt: 9, error, rescue: null }),
    (now: TaskState) => skipTask(now, 'later', 9),
    retryTask,
    (now: TaskState) => startTask(now, begin),
    (now: TaskState) => completeTask(now, { ...end, written: ['b'] }),
  ];
  for (const step of steps) {
    const next = step(state);
    state = next.ok ? next.value : pending;
    expect(touchedPaths(state), state.at).toEqual(expect.arrayContaining(['a', 'gone']));
  }
  expect(state).toMatchObject({ at: 'done', attempt: 3, written: ['a', 'b', 'gone'] });
});
