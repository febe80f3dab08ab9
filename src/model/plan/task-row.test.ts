import { expect, test } from 'vitest';
import { task } from '../../../test/execute/plan.ts';
import {
  changedPaths,
  executeRunId,
  ownPaths,
  planOfRunId,
  planRunId,
  reloaded,
  retired,
  retryCommand,
  widenedPaths,
  workDigest,
} from './task-row.ts';

const failed = {
  at: 'failed',
  attempt: 2,
  since: 1,
  endedAt: 2,
  error: { category: 'test', message: 'no', retryable: true },
  rescue: null,
} as const;

test('the same work in another place keeps its state; other work under the same id begins anew, with the next number', () => {
  const one = task('T001');
  expect(reloaded(undefined, one)).toEqual({ task: one, state: { at: 'pending' } });
  const moved = { ...one, phase: 3, estimate_hours: 8 };
  expect(workDigest(moved)).toBe(workDigest(one));
  expect(reloaded({ task: one, state: failed }, moved)).toEqual({ task: moved, state: failed });
  const other = { ...one, name: 'other' };
  expect(reloaded({ task: one, state: failed }, other)).toEqual({
    task: other,
    state: { at: 'pending', attempts: 2 },
  });
});

test('a task that an edit removes keeps finished work and the number of its tries', () => {
  const one = task('T001');
  const files = { created: [], modified: [] };
  const verification = { verdict: 'PASS', criteria: [] } as const;
  const done = { at: 'done', attempt: 1, since: 1, endedAt: 2, produced: 'p', files, verification } as const;
  expect(retired({ task: one, state: done })).toEqual({ task: one, state: done });
  expect(retired({ task: one, state: failed })).toEqual({ task: one, state: { at: 'pending', attempts: 2 } });
});

test('a plan has a run for each half of its life', () => {
  expect([planRunId('p'), executeRunId('p')]).toEqual(['p-plan', 'p-execute']);
  expect([planRunId('p'), executeRunId('p')].map(planOfRunId)).toEqual(['p', 'p']);
});

test('files of a task are those it declares and those that a person let belong to it', () => {
  const one = task('T001');
  const [declared] = one.files.map(({ path }) => path);
  const running = { at: 'running', by: 'ada', attempt: 1, since: 1, snapshot: 'c' } as const;
  expect(ownPaths({ task: one, state: running })).toEqual([declared]);
  const widened = { ...running, widened: ['src/more.txt'] };
  expect(ownPaths({ task: one, state: widened })).toEqual([declared, 'src/more.txt']);
  expect(changedPaths({ task: one, state: { ...widened, written: ['src/old.txt'] } })).toEqual([
    'src/old.txt',
    declared,
    'src/more.txt',
  ]);
  // A run works in a workspace, so it writes nothing to the target.
  expect(changedPaths({ task: one, state: { ...running, snapshot: null } })).toEqual([]);
  expect(widenedPaths({ task: one, state: widened })).toEqual(['src/more.txt']);
  const files = { created: [], modified: [] };
  const verification = { verdict: 'PASS', criteria: [] } as const;
  const done = { at: 'done', attempt: 1, since: 1, endedAt: 2, produced: 'p', files, verification } as const;
  expect(ownPaths({ task: one, state: done })).toEqual([declared]);
  const byHand = { by: 'ada', before: 'a', after: 'b', paths: ['src/more.txt'] };
  expect(widenedPaths({ task: one, state: { ...done, byHand } })).toEqual(['src/more.txt']);
  const written = { created: [declared ?? '', 'src/new.txt'], modified: ['src/more.txt'] };
  expect(widenedPaths({ task: one, state: { ...done, byHand, files: written } })).toEqual([
    'src/more.txt',
    'src/new.txt',
  ]);
  expect(ownPaths({ task: one, state: { at: 'pending' } })).toEqual([declared]);
});

test('the command that opens a task again names its plan', () => {
  expect(retryCommand('api', 'T001')).toBe('tutti task retry T001 --plan api');
});
