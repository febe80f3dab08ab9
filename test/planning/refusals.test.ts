import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../workspaces/rig.ts';
import { PlannerProject } from './project.ts';

test('a bare repository is refused before an agent starts, and nothing is stored', async () => {
  using project = new PlannerProject((folder) => git(join(folder, 'target'), 'init', '-q', '--bare'));
  const { outcome, ran } = await project.plan({ projectType: 'existing', yes: true });
  expect(outcome).toContain('is a bare repository');
  expect(ran).toEqual([]);
  expect(await project.tutti.queries.plans.one('numerals')).toBeNull();
});

test('an existing project without a commit is refused with the next command', async () => {
  using project = new PlannerProject((folder) => {
    git(join(folder, 'target'), 'init', '-q');
    writeFileSync(join(folder, 'target', 'main.py'), 'x = 1\n');
  });
  const { outcome, ran } = await project.plan({ projectType: null, yes: true });
  expect(outcome).toContain('has no commit');
  expect(ran).toEqual([]);
});

test('a new project in a repository without a commit is planned', async () => {
  using project = new PlannerProject((folder) => git(join(folder, 'target'), 'init', '-q'));
  const { ran } = await project.plan({ yes: true, budget: { launches: 1 } });
  expect(ran).toEqual(['logical']);
});

test('a state directory that is not writable is refused', async ({ skip }) => {
  if (process.getuid?.() === 0) skip('root may write everywhere');
  using project = new PlannerProject(undefined, () => ({ XDG_STATE_HOME: '/proc/1' }));
  const { outcome, ran } = await project.plan({ yes: true });
  expect(outcome).toContain('is not writable');
  expect(ran).toEqual([]);
});
