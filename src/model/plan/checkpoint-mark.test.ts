import { expect, test } from 'vitest';
import { withMark } from './checkpoint-mark.ts';
import { blankPlan } from './plan-record.ts';

const blank = blankPlan({ name: 'p', targetDir: '/t', projectType: 'new', stack: null, at: 1 });

test('the list grows while somebody is at work, is complete when nobody is, and then begins anew', () => {
  const one = withMark(blank, 'T001', 'running', 5);
  expect(one.checkpoint).toEqual({ status: 'active', createdAt: 5, tasks: { T001: 'running' } });
  const two = withMark(one, 'T002', 'running', 6);
  const half = withMark(two, 'T001', 'success', 7);
  expect(half.checkpoint).toEqual({
    status: 'active',
    createdAt: 5,
    tasks: { T001: 'success', T002: 'running' },
  });
  const over = withMark(half, 'T002', 'failed', 8);
  expect(over.checkpoint).toMatchObject({ status: 'complete', tasks: { T002: 'failed' } });
  expect(withMark(over, 'T003', 'running', 9).checkpoint).toEqual({
    status: 'active',
    createdAt: 9,
    tasks: { T003: 'running' },
  });
});

test('the end of a task that no list names is not noted: told twice, it is told once', () => {
  expect(withMark(blank, 'T001', 'success', 5)).toBe(blank);
});
