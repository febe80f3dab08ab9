import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PlanTask } from '../../src/model/plan/plan-task.ts';
import { textOf } from '../plans/good-plan.ts';
import { AgentLedProject } from './project.ts';

/** The first task is done, the second may begin. */
async function afterFirst(): Promise<AgentLedProject> {
  const project = new AgentLedProject();
  await project.toExecuting();
  await project.done('task', 'start', 'T001');
  project.work('T001');
  await project.done('task', 'complete', 'T001');
  return project;
}

function edit(project: AgentLedProject, id: string): string {
  const path = `tasks/${id}.json`;
  const before = project.read(path);
  const task = JSON.parse(before) as PlanTask;
  const criterion = { criterion: 'The command of the test passes', verification: 'exit 1' };
  project.write(path, textOf({ ...task, acceptance_criteria: [...task.acceptance_criteria, criterion] }));
  return before;
}

test('a task whose file was edited is not started before the edit is loaded', async () => {
  using project = await afterFirst();
  edit(project, 'T002');
  const refused = await project.type('task', 'start', 'T002');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(/task T002 was edited after plan shop loaded it: .*tasks\/T002\.json\n/);
  expect(refused.err).toContain('→ load the edit: tutti plan load-tasks --plan shop\n');
  // The command of the hint helps: the plan needs a new verdict, and nothing is started by the old definition.
  expect(await project.done('plan', 'load-tasks', '--plan', 'shop')).toContain('1 of them new or changed');
  expect((await project.type('task', 'start', 'T002')).err).toContain('the plan is in phase validation');
});

test('the work of a task whose file was edited meanwhile is not judged by the old criteria', async () => {
  using project = await afterFirst();
  await project.done('task', 'start', 'T002');
  project.work('T002');
  const before = edit(project, 'T002');
  const refused = await project.type('task', 'complete', 'T002');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain(
    '→ undo the edit; or give the task up: tutti task fail T002 MESSAGE, then load the edit: tutti plan load-tasks --plan shop\n',
  );
  expect(await project.json('task', 'show', 'T002')).toMatchObject({ status: 'running' });
  project.write('tasks/T002.json', before);
  await project.done('task', 'complete', 'T002');
});

test.each(['tasks/T002.json', 'tasks', ''])(
  'a task whose file is gone is not started, and recover is named: rm %s',
  async (path) => {
    using project = await afterFirst();
    rmSync(join(project.planDir, path), { recursive: true });
    const refused = await project.type('task', 'start', 'T002');
    expect(refused.code).not.toBe(0);
    expect(refused.err).toMatch(
      /→ restore (it|them): tutti recover(; or remove the task from the plan: tutti plan load-tasks --plan shop)?\n/,
    );
  },
);
