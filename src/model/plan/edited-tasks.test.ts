import { expect, test } from 'vitest';
import { goodPlan } from '../../../test/plans/good-plan.ts';
import { editsOfRun } from './edited-tasks.ts';
import type { PlanTask } from './plan-task.ts';
import type { TaskRow } from './task-row.ts';
import type { TaskState } from './task-state.ts';

const [one, two, three] = goodPlan({ tasks: 3 }).tasks as [PlanTask, PlanTask, PlanTask];
const other: PlanTask = { ...two, name: 'other work' };
const later: PlanTask = { ...two, phase: 9 };
const pending: TaskState = { at: 'pending' };
const running: TaskState = { at: 'running', by: 'r', attempt: 1, since: 1, snapshot: null };
const rows = (...tasks: readonly PlanTask[]): readonly TaskRow[] =>
  tasks.map((task) => ({ task, state: pending }));

test.each([
  ['no edit', [one, two], null],
  ['another phase alone', [one, later], null],
  ['a changed task', [one, other], 'changed T002'],
  ['a removed task', [one], 'removed T002'],
  ['a new task', [one, two, three], 'added T003'],
] as const)('%s in the files or in the record of a plan', (_edit, now, words) => {
  expect(editsOfRun({ run: [one, two], record: rows(one, two), files: now })).toBe(words);
  expect(editsOfRun({ run: [one, two], record: rows(...now), files: now })).toBe(words);
  expect(editsOfRun({ run: [one, two], record: rows(...now), files: null })).toBe(words);
});

test('an edit that was loaded and taken back in the file is still an edit', () => {
  expect(editsOfRun({ run: [one, two], record: rows(one, other), files: [one, two] })).toBe('changed T002');
});

test('an edit of a task that is worked on does not keep the run from finishing it', () => {
  const record = [
    { task: one, state: pending },
    { task: two, state: running },
  ];
  const files = [{ ...one, name: 'other work' }, other];
  expect(editsOfRun({ run: [one, two], record, files })).toBeNull();
  expect(editsOfRun({ run: [one, two], record, files: [one] })).toBeNull();
  expect(editsOfRun({ run: [one, two], record, files: [{ ...one, name: 'other work' }, two] })).toBe(
    'changed T001',
  );
});
