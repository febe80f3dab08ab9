import { expect, test } from 'vitest';
import { err, ok } from '../../lib/result.ts';
import type { TaskState } from './task-state.ts';
import { decideBegin, decideEnd, startTask, type TaskEnd } from './work-on-task.ts';

const begin = { by: 'run', since: 5, snapshot: null };
const wish = { ...begin, isOne: true };
const pending: TaskState = { at: 'pending' };
const running: TaskState = { at: 'running', attempt: 1, ...begin };
const verification = { verdict: 'PASS', criteria: [] } as const;
const how = { endedAt: 9, files: { created: ['a'], modified: [] }, verification, produced: 'p' };
const done: TaskState = { at: 'done', attempt: 1, since: 5, ...how };
const error = { category: 'test', message: 'no', retryable: true } as const;
const failed: TaskState = { at: 'failed', attempt: 2, since: 5, endedAt: 9, error, rescue: null };
const skipped: TaskState = { at: 'skipped', endedAt: 9, reason: 'later' };

test('a task starts once; asked for twice by the same one is asked for once', () => {
  expect(startTask(pending, begin)).toEqual(ok(running));
  expect(startTask(failed, begin)).toEqual(ok({ ...running, attempt: 3 }));
  expect(startTask({ at: 'pending', attempts: 4 }, begin)).toEqual(ok({ ...running, attempt: 5 }));
  expect(startTask(running, { ...begin, since: 7 })).toEqual(ok(running));
  expect(startTask(running, { ...begin, by: 'other' })).toEqual(err('is being worked on by run'));
  expect(startTask(done, begin)).toEqual(err('is done'));
  expect(startTask(skipped, begin)).toEqual(err('was skipped'));
});

test('a name that several assignees share gets a task once', () => {
  expect(startTask(pending, { ...begin, isOne: false })).toEqual(ok(running));
  expect(startTask(running, { ...begin, isOne: false })).toEqual(err('is being worked on by run'));
});

test('what an assignee is told and what is recorded agree', () => {
  expect(decideBegin(pending, wish)).toEqual({
    state: running,
    begun: { at: 'begun', attempt: 1, since: 5 },
  });
  const told = { at: 'begun', attempt: 1, since: 5 } as const;
  expect(decideBegin(running, { ...wish, since: 7 })).toEqual({ state: running, begun: told });
  expect(decideBegin(skipped, wish).begun).toEqual({ at: 'skipped', reason: 'later' });
  expect(decideBegin(running, { ...wish, by: 'other' }).begun).toEqual({ at: 'taken', by: 'run' });
});

test('finished work is done again only under a higher number, and remembers what it wrote', () => {
  const known = { state: done, begun: { at: 'done', attempt: 1, produced: 'p' } };
  expect(decideBegin(done, wish)).toEqual(known);
  expect(decideBegin(done, { ...wish, redo: 1 })).toEqual(known);
  expect(decideBegin(done, { ...wish, redo: 2 }).state).toEqual({ ...running, attempt: 2, written: ['a'] });
});

test('an edited task gets no new attempt, and one that was begun before the edit continues', () => {
  const edited = { ...wish, edited: 'its definition changed' };
  const begun = { at: 'edited', finding: 'its definition changed' };
  for (const state of [pending, failed]) expect(decideBegin(state, edited)).toEqual({ state, begun });
  expect(decideBegin(done, { ...edited, redo: 2 })).toEqual({ state: done, begun });
  expect(decideBegin(done, edited).begun.at).toBe('done');
  expect(decideBegin(running, edited)).toMatchObject({ state: running, begun: { at: 'begun' } });
  expect(decideBegin(skipped, edited).begun.at).toBe('skipped');
  expect(decideBegin(pending, { ...edited, edited: null }).begun.at).toBe('begun');
  expect(startTask(pending, edited)).toEqual(err('was not begun: its definition changed'));
});

const success: TaskEnd = { at: 'done', ...how };
const failure: TaskEnd = { at: 'failed', endedAt: 9, error, rescue: null };
const attempt = { attempt: 1, since: 5, isRepeated: false };

test('an attempt ends once, unless its end is told again after a crash', () => {
  expect(decideEnd(running, attempt, success)).toEqual(ok(done));
  expect(decideEnd(running, attempt, failure)).toEqual(ok({ ...failed, attempt: 1 }));
  expect(decideEnd(done, attempt, success)).toEqual(err('is done already'));
  expect(decideEnd(done, { ...attempt, isRepeated: true }, success)).toEqual(ok(done));
  expect(decideEnd(failed, { ...attempt, attempt: 2, isRepeated: true }, failure)).toEqual(ok(failed));
  expect(decideEnd(done, { ...attempt, attempt: 2, isRepeated: true }, failure)).toEqual(err('is done'));
});

test('an attempt that another assignee has begun since is not ended by the one before it', () => {
  const again = err('was begun again and is being worked on by run');
  expect(decideEnd({ ...running, attempt: 2 }, attempt, success)).toEqual(again);
  expect(decideEnd({ ...running, since: 6 }, attempt, success)).toEqual(again);
  expect(decideEnd({ ...running, since: 6 }, { ...attempt, since: null }, success)).toMatchObject({
    ok: true,
  });
});
