import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeGoodPlan } from '../../../test/plans/good-plan.ts';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { problemSentence } from '../../model/schemas/problem.ts';
import { loadTask, loadTasks } from './load-tasks.ts';

test('more tasks, or more text in them, than anybody can mean is refused', () => {
  using folder = tempFolder();
  writeGoodPlan(folder.path, { tasks: 9 });
  const said = (limits: Parameters<typeof loadTasks>[1]): readonly string[] => {
    const loaded = loadTasks(folder.path, limits);
    return loaded.ok ? [] : loaded.error.map(problemSentence);
  };
  expect(said({ tasks: 9, characters: 100_000 })).toEqual([]);
  expect(said({ tasks: 8, characters: 100_000 })).toEqual(['tasks: has more than 8 tasks']);
  expect(said({ tasks: 9, characters: 5000 })).toEqual(['tasks: are more than 5000 characters together']);
});

test('every file that is wrong is told, those without a number too', () => {
  using folder = tempFolder();
  writeGoodPlan(folder.path);
  for (const name of ['a.json', 'b.json', 'T003.json']) writeFileSync(join(folder.path, 'tasks', name), '[');
  const loaded = loadTasks(folder.path);
  expect(loaded.ok ? [] : loaded.error.map(({ file }) => file)).toEqual([
    'tasks/a.json',
    'tasks/b.json',
    'tasks/T003.json',
  ]);
});

test('one task is read alone, whatever the other files hold', () => {
  using folder = tempFolder();
  const { tasks } = writeGoodPlan(folder.path);
  writeFileSync(join(folder.path, 'tasks', 'T003.json'), '[');
  expect(loadTask(folder.path, 'T002')).toEqual({ ok: true, value: tasks[1] });
  const said = (id: string): readonly string[] => {
    const loaded = loadTask(folder.path, id);
    return loaded.ok ? [] : loaded.error.map(({ file }) => file ?? '');
  };
  expect(said('T003')).toEqual(['tasks/T003.json']);
  expect(said('T099')).toEqual(['tasks/T099.json']);
});
