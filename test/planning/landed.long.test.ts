import { changeTask } from '../../src/app/plan-record/change-plan.ts';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { planOutlook } from '../../src/app/plans/outlook.ts';
import { completeTask, retryTask } from '../../src/model/plan/task-state.ts';
import { startTask } from '../../src/model/plan/work-on-task.ts';
import { PlannerProject } from './project.ts';

const verification = { verdict: 'PASS', criteria: [] } as const;

/** Every task is done, and `tutti land` has brought what they made into the target. */
async function finish(project: PlannerProject): Promise<void> {
  const { queries } = project.tutti;
  for (const { task } of await queries.plans.tasks('numerals')) {
    const created = task.files.map(({ path }) => path);
    for (const path of created) {
      const file = join(project.path, 'target', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '');
    }
    const begun = await changeTask(project.tutti, 'numerals', task.id, ({ state }) =>
      startTask(state, { by: 'numerals-execute', since: 1, snapshot: null }),
    );
    const files = { created, modified: [] };
    const ended = await changeTask(project.tutti, 'numerals', task.id, ({ state }) =>
      completeTask(state, { endedAt: 2, files, verification, produced: 'p' }),
    );
    expect([begun.ok, ended.ok]).toEqual([true, true]);
  }
}

const existing = { projectType: 'existing', yes: true } as const;

test.each([
  ['a changed sentence', 'writes roman numerals', 'writes roman numerals in capital letters'],
  ['a new behavior', '- B3', '- B4 clock: prints the hour\n- B3'],
  ['both', 'writes roman numerals\n', 'writes them in capital letters\n- B4 clock: prints the hour\n'],
])('a plan whose work has landed is made again after %s', async (_what, from, to) => {
  using project = new PlannerProject();
  expect((await project.plan(existing)).outcome).toBe('SUCCESS');
  await finish(project);
  project.edit(from, to);
  expect((await project.plan(existing)).outcome).toBe('SUCCESS');
  const outlook = await planOutlook(project.tutti, await project.found);
  expect(outlook.ok ? outlook.value.estimate.tasks : outlook.error).toBe(_what === 'both' ? 2 : 1);
});

test('a reopened task may still create the file that it has created', async () => {
  using project = new PlannerProject();
  await project.plan(existing);
  await finish(project);
  await changeTask(project.tutti, 'numerals', 'T002', ({ state }) => retryTask(state));
  expect((await planOutlook(project.tutti, await project.found)).ok).toBe(true);
  project.edit('reads roman', 'takes roman');
  expect((await project.plan(existing)).outcome).toBe('SUCCESS');
});

test('control: a file that no task of the plan has made must not be created', async () => {
  using project = new PlannerProject();
  await project.plan(existing);
  await finish(project);
  writeFileSync(join(project.path, 'target', 'src', 'clock.js'), '');
  project.edit('- B3', '- B4 clock: prints the hour\n- B3');
  expect((await project.plan(existing)).outcome).not.toBe('SUCCESS');
  expect(readFileSync(join(project.path, 'prompts', 'physical_heal-1.txt'), 'utf8')).toContain(
    'exists already',
  );
});
