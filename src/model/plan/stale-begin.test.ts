import { expect, test } from 'vitest';
import { plain } from '../../lib/json.ts';
import type { Entry } from '../entry.ts';
import type { TaskBegun } from './execute-parts.ts';
import { refusedBegins, staleBegins } from './stale-begin.ts';
import type { TaskState } from './task-state.ts';

function begin(begun: TaskBegun, key = 'T001/begin@1'): Pick<Entry, 'key' | 'state'> {
  return { key, state: { at: 'done', outcome: 'SUCCESS', value: plain(begun) } };
}

const running = (by: string, attempt = 1): TaskState => ({
  at: 'running',
  by,
  attempt,
  since: 1,
  snapshot: null,
});
const ended = { attempt: 1, since: 1, endedAt: 2 } as const;
const error = { category: 'test', message: 'no', retryable: true } as const;
const failed: TaskState = { at: 'failed', ...ended, error, rescue: null };
const verification = { verdict: 'PASS', criteria: [] } as const;
const files = { created: [], modified: [] };
const done: TaskState = { at: 'done', ...ended, files, verification, produced: 'p' };
const skipped: TaskState = { at: 'skipped', endedAt: 1, reason: 'later' };
const pending: TaskState = { at: 'pending' };

const begun: TaskBegun = { at: 'begun', attempt: 1, since: 1 };
const taken: TaskBegun = { at: 'taken', by: 'ada' };
const left: TaskBegun = { at: 'skipped', reason: 'later' };
const edited: TaskBegun = { at: 'edited', finding: 'its definition changed' };
const was: TaskBegun = { at: 'done', attempt: 1, produced: 'p' };

test.each([
  [left, skipped, false],
  [left, pending, true],
  [left, running('r'), true],
  [taken, running('ada'), false],
  [taken, running('bob'), true],
  [taken, pending, true],
  [edited, pending, true],
  [edited, failed, true],
  [was, done, false],
  [was, { ...done, attempt: 2 }, true],
  [was, { at: 'pending', attempts: 1 }, true],
  [begun, running('r'), false],
  [begun, done, false],
  [begun, failed, false],
  [begun, { ...done, attempt: 2 }, true],
  [begun, running('r', 2), true],
  [begun, running('ada'), true],
  [begun, { at: 'pending', attempts: 1 }, true],
  [begun, { ...skipped, attempts: 1 }, true],
] as const)('the begin %o of a task that is now %o is stale: %s', (answer, state, stale) => {
  const entry = begin(answer);
  expect(staleBegins('r', [{ id: 'T001', state }], [entry])(entry)).toBe(stale);
  const isRefused = answer.at !== 'begun' && answer.at !== 'done';
  expect(refusedBegins('r', [{ id: 'T001', state }])(entry)).toBe(stale && isRefused);
});

test('of several begins of a task only the last one says who has it', () => {
  const [first, second] = [begin(begun), begin({ ...begun, attempt: 2 }, 'T001/begin@2')];
  const isStale = (state: TaskState) =>
    [first, second].map(staleBegins('r', [{ id: 'T001', state }], [first, second]));
  expect(isStale({ ...done, attempt: 2 })).toEqual([false, false]);
  expect(isStale({ at: 'pending', attempts: 2 })).toEqual([false, true]);
});

test('other parts, other tasks and begins without an answer are not stale', () => {
  const others = [
    begin(left, 'T001/result@1'),
    begin(left, 'T002/begin@1'),
    { key: 'T001/begin@1', state: { at: 'dropped' } },
  ] as const;
  expect(others.filter(staleBegins('r', [{ id: 'T001', state: pending }], others))).toEqual([]);
});
