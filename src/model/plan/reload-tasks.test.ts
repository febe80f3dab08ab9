import { expect, test } from 'vitest';
import { goodPlan } from '../../../test/plans/good-plan.ts';
import { reloadTasks } from './reload-tasks.ts';
import type { TaskRow } from './task-row.ts';
import type { TaskState } from './task-state.ts';

const [one, two] = goodPlan({ tasks: 2 }).tasks;
if (one === undefined || two === undefined) throw new Error('a good plan has two tasks');

const running: TaskState = { at: 'running', attempt: 1, by: 'ann', since: 1, snapshot: null };
const pending: TaskState = { at: 'pending' };
const row = (task: TaskRow['task'], state: TaskState = pending): TaskRow => ({ task, state });
const other = { ...one, description: 'something else' };

test('tasks that were not there begin, and nothing is kept of what was never removed', () => {
  const loaded = reloadTasks({}, [], [one, two]);
  expect(loaded).toMatchObject({ ok: true, value: { changed: [one.id, two.id], removed: [], kept: null } });
});

test('the same work keeps its state, and a removed task is kept for its return', () => {
  const failed: TaskState = {
    at: 'failed',
    attempt: 1,
    since: 1,
    endedAt: 2,
    error: { category: 'runtime', message: 'no', retryable: true },
    rescue: null,
  };
  const loaded = reloadTasks({}, [row(one, running), row(two, failed)], [one]);
  expect(loaded).toMatchObject({ ok: true, value: { changed: [], removed: [two.id] } });
  if (!loaded.ok) throw new Error(loaded.error);
  expect(loaded.value.rows[0]?.state).toBe(running);
  const { kept } = loaded.value;
  expect(Object.keys(kept ?? {})).toEqual([two.id]);
  const again = reloadTasks({ removed: kept ?? {} }, [row(one, running)], [one, two]);
  // It comes back with the number of its attempts, and is kept no more.
  expect(again).toMatchObject({ ok: true, value: { changed: [two.id], kept: {} } });
  expect(reloadTasks({ removed: kept ?? {} }, [row(one, running)], [one])).toMatchObject({
    value: { kept },
  });
});

test('a task that is worked on is neither changed nor removed', () => {
  const refused = { ok: false, error: `task ${one.id} is being worked on and cannot be changed now` };
  expect(reloadTasks({}, [row(one, running)], [other])).toEqual(refused);
  expect(reloadTasks({}, [row(one, running), row(two)], [two])).toEqual(refused);
});
