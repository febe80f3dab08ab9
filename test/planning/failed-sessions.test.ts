import { expect, test } from 'vitest';
import { reasonOf } from '../../src/app/sessions/reason.ts';
import { PlannerProject } from './project.ts';

test('a failed planning session keeps its reason when its phase is tried again', async () => {
  using project = new PlannerProject();
  project.mood(['logical', 'fail'], ['logical/heal-1', 'fail']);
  await project.plan();
  await project.plan();
  const sessions = await project.tutti.queries.sessions.ofRun('numerals-plan');
  expect(sessions.map(({ attempt }) => attempt)).toEqual([1, 1, 2, 2]);
  expect(await Promise.all(sessions.map((session) => reasonOf(project.tutti, session)))).toEqual([
    'agent logic-architect reports failed: logical done',
    'agent logic-architect reports failed: logical/heal-1 done',
    'agent logic-architect reports failed: logical done',
    'agent logic-architect reports failed: logical/heal-1 done',
  ]);
});
