import { expect, test } from 'vitest';
import { cheap, ExecuteProject, runId, submit } from './project.ts';
import { goodPlan } from '../plans/good-plan.ts';

test('nothing is launched beyond the ceiling, and a higher one goes on without doing anything twice', async () => {
  using project = new ExecuteProject(cheap(goodPlan({ tasks: 2 })));
  const first = await project.play({ budget: { launches: 2 } });
  expect(first).toEqual({ outcome: 'BUDGET_EXCEEDED', ran: ['T001', 'T001/verify'] });
  // Said once, it holds for the next execution too.
  expect((await project.play()).ran).toEqual([]);
  const second = await project.play({ budget: { launches: 10 } });
  expect(second).toEqual({ outcome: 'SUCCESS', ran: ['T002', 'T002/verify'] });
});

test('the project may say what becomes of files that nobody declared', async () => {
  using project = new ExecuteProject(cheap(goodPlan({ tasks: 2 })));
  project.rules({ T001: { also: { 'more.txt': 'more\n' } } });
  project.write('tutti.yaml', `${project.read('tutti.yaml')}\nworkspace: { undeclared: accept }\n`);
  expect((await project.play()).outcome).toBe('SUCCESS');
  expect(project.git('show', 'tutti/records/integration:more.txt')).toBe('more\n');
});

test('execute --task opens no parts of other tasks again', async () => {
  using project = new ExecuteProject();
  using tutti = project.open();
  expect((await project.playIn(tutti, { budget: { launches: 3 } })).outcome).toBe('BUDGET_EXCEEDED');
  const opened = async () =>
    (await tutti.queries.events(runId, 0)).flatMap(({ event }) =>
      event.type === 'run.reopened' ? [event.steps] : [],
    );
  expect(await submit(tutti, { tasks: ['T001'] })).toBeNull();
  expect(await opened()).toEqual([]);
  expect(await submit(tutti, { tasks: ['T002'] })).toBeNull();
  expect(await opened()).toEqual([['T002/verify']]);
});
