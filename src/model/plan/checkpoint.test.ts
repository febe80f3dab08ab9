import { describe, expect, test } from 'vitest';
import {
  clearCheckpoint,
  completeCheckpoint,
  createCheckpoint,
  isOrphan,
  marksNow,
  recover,
  updateCheckpoint,
  withoutMark,
  withoutOrphan,
} from './checkpoint.ts';
import { blankPlan, type Checkpoint, type PlanRecord } from './plan-record.ts';
import type { TaskState } from './task-state.ts';

const blank = blankPlan({ name: 'p', targetDir: '/t', projectType: 'new', stack: null, at: 1 });
const known = new Set(['T001', 'T002', 'T003', 'T004', 'T005', 'T006', 'T007']);

function having(tasks: Checkpoint['tasks'], status: Checkpoint['status'] = 'active'): PlanRecord {
  return { ...blank, checkpoint: { status, createdAt: 3, tasks } };
}

describe('a checkpoint', () => {
  test('names who is waited for', () => {
    expect(createCheckpoint(blank, ['T001', 'T002'], { at: 3, known })).toEqual({
      ok: true,
      value: having({ T001: 'running', T002: 'running' }),
    });
  });

  test('of a task that does not exist is refused', () => {
    expect(createCheckpoint(blank, ['T001', 'T099'], { at: 3, known })).toEqual({
      ok: false,
      error: 'there is no task T099',
    });
  });

  test('is not replaced while it waits for somebody, unless it is the same one again', () => {
    const active = having({ T001: 'running', T002: 'success' });
    expect(createCheckpoint(active, ['T003'], { at: 4, known })).toEqual({
      ok: false,
      error: 'the checkpoint of T001 is not complete',
    });
    expect(createCheckpoint(active, ['T001'], { at: 4, known }).ok).toBe(true);
    const many = having(Object.fromEntries([...known].map((id) => [id, 'orphaned' as const])));
    expect(createCheckpoint(many, ['T001'], { at: 4, known })).toEqual({
      ok: false,
      error: 'the checkpoint of T001, T002, T003, T004, T005 and 2 more is not complete',
    });
    for (const over of [having({ T001: 'failed' }), having({ T001: 'running' }, 'complete')]) {
      expect(createCheckpoint(over, ['T003'], { at: 4, known }).ok).toBe(true);
    }
  });

  test('takes down what came back, is completed and cleared', () => {
    const active = having({ T001: 'running' });
    expect(updateCheckpoint(active, 'T001', 'failed')).toEqual({
      ok: true,
      value: having({ T001: 'failed' }),
    });
    expect(updateCheckpoint(active, 'T002', 'failed')).toEqual({
      ok: false,
      error: 'the checkpoint does not have T002',
    });
    expect(completeCheckpoint(active)).toEqual({ ok: true, value: having({ T001: 'running' }, 'complete') });
    expect(clearCheckpoint(active)).toEqual(blank);
  });

  test('that is not there is neither updated nor completed', () => {
    const none = { ok: false, error: 'there is no checkpoint' };
    expect(updateCheckpoint(blank, 'T001', 'success')).toEqual(none);
    expect(completeCheckpoint(blank)).toEqual(none);
  });
});

test('a mark of a task on which nothing works any more is shown as parked', () => {
  const tasks = { T001: 'running', T002: 'running', T003: 'success' } as const;
  expect(marksNow({ tasks }, new Set(['T001', 'T003']))).toEqual({
    T001: 'parked',
    T002: 'running',
    T003: 'success',
  });
});

describe('after a crash', () => {
  const running = (by: string): TaskState => ({ at: 'running', by, attempt: 1, since: 2, snapshot: null });
  const failed: TaskState = {
    at: 'failed',
    attempt: 1,
    since: 2,
    endedAt: 3,
    error: { category: 'test', message: 'm', retryable: true },
    rescue: null,
  };
  const done: TaskState = {
    at: 'done',
    attempt: 1,
    since: 2,
    endedAt: 3,
    files: { created: [], modified: [] },
    verification: { verdict: 'PASS', criteria: [] },
    produced: 'd',
  };
  const skipped: TaskState = { at: 'skipped', endedAt: 3, reason: 'r' };
  const isAlive = (by: string): boolean => by === 'alive';

  test('who ended is taken down, who vanished is an orphan, who lives is left alone, who never began is let go', () => {
    const plan = having({
      T001: 'running',
      T002: 'running',
      T003: 'running',
      T004: 'running',
      T005: 'running',
      T006: 'success',
      T007: 'running',
    });
    const tasks = [
      { id: 'T001', state: done },
      { id: 'T002', state: failed },
      { id: 'T003', state: running('dead') },
      { id: 'T004', state: running('alive') },
      { id: 'T005', state: { at: 'pending' } as const },
      { id: 'T006', state: done },
      { id: 'T007', state: skipped },
      { id: 'T008', state: running('dead') },
      { id: 'T009', state: done },
    ];
    expect(recover(plan, { at: 9, tasks, isAlive })).toEqual({
      plan: having({
        T001: 'success',
        T002: 'failed',
        T003: 'orphaned',
        T004: 'running',
        T006: 'success',
        T008: 'orphaned',
      }),
      acknowledged: { T001: 'success', T002: 'failed' },
      orphans: ['T003', 'T008'],
      alive: ['T004'],
      notStarted: ['T005'],
    });
  });

  test('of everybody else nothing is left to do', () => {
    const tasks = [{ id: 'T001', state: done }];
    expect(recover(having({ T001: 'running' }), { at: 9, tasks, isAlive }).plan.checkpoint?.status).toBe(
      'complete',
    );
    // A task that is gone from the plan, and one that somebody put back after it had been taken down.
    const gone = recover(having({ T002: 'running' }), { at: 9, tasks, isAlive });
    expect(gone).toMatchObject({ plan: { checkpoint: null }, notStarted: ['T002'] });
    const again = [{ id: 'T001', state: { at: 'pending' } as const }];
    expect(recover(having({ T001: 'failed' }), { at: 9, tasks: again, isAlive }).notStarted).toEqual([]);
  });

  test('an orphan is found without any checkpoint, and is none any more when it begins anew', () => {
    const tasks = [{ id: 'T001', state: running('dead') }];
    const { plan } = recover(blank, { at: 9, tasks, isAlive });
    expect(plan.checkpoint).toEqual({ status: 'active', createdAt: 9, tasks: { T001: 'orphaned' } });
    expect(isOrphan(plan, 'T001')).toBe(true);
    expect(isOrphan(blank, 'T001')).toBe(false);
    expect(withoutOrphan(plan, 'T001')).toEqual(blank);
    expect(withoutOrphan(blank, 'T001')).toBe(blank);
    const both = having({ T001: 'orphaned', T002: 'success' });
    expect(withoutOrphan(both, 'T002')).toBe(both);
    expect(withoutOrphan(both, 'T001')).toEqual(having({ T002: 'success' }));
  });

  test('forgets how a task ended that was skipped or reopened since', () => {
    const both = having({ T001: 'failed', T002: 'success' });
    expect(withoutMark(both, 'T001')).toEqual(having({ T002: 'success' }));
    expect(withoutMark(both, 'T003')).toBe(both);
    expect(withoutMark(having({ T001: 'failed' }), 'T001')).toEqual(blank);
    expect(withoutMark(blank, 'T001')).toBe(blank);
  });
});
