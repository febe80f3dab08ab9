import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { goodPlan } from '../plans/good-plan.ts';
import { cheap, ExecuteProject } from './project.ts';

const ignored = 'src/part-1/record-1.js';

test('a task whose declared file git ignores is not done: its agent is told that it cannot land', async () => {
  using project = new ExecuteProject(cheap(goodPlan({ tasks: 2 })));
  project.write('.gitignore', `${ignored}\n`);
  execFileSync('git', ['add', '.gitignore'], { cwd: project.path });
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'ignore'], {
    cwd: project.path,
  });
  const played = await project.play({ tasks: ['T001'], verify: false });
  expect(played.outcome).not.toBe('SUCCESS');
  expect(played.ran).toContain('T001/heal-1');
  const said = `git ignores files that the task declares, so they cannot land: ${ignored}`;
  expect(project.json('bundles/T001-result.json')).toMatchObject({
    error: { message: expect.stringContaining(said) },
  });
});
