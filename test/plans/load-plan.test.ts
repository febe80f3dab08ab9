import { expect, test } from 'vitest';
import { readPlan } from '../../src/app/plans/load-plan.ts';
import { problemSentence } from '../../src/model/schemas/problem.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { factsFor, writeGoodPlan } from './good-plan.ts';

test.each([2, 8, 120])('a good plan of %i tasks is read whole', (tasks) => {
  using folder = tempFolder();
  const plan = writeGoodPlan(folder.path, { tasks });
  const read = readPlan(folder.path, factsFor(plan, '/nowhere'));
  expect(read.ok ? [] : read.error.map(problemSentence)).toEqual([]);
  expect(read.ok && read.value.tasks.value).toEqual(plan.tasks);
});
