import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PayProject, plan } from '../pay/project.ts';
import { until } from '../rig/attempt-rig.ts';
import { deleteDatabase } from './lost-work.ts';

test('after a recovery without the plan, its agents keep working until the plan is made again', {
  timeout: 300_000,
}, async () => {
  using project = new PayProject(undefined, 3);
  await project.run('plan', 'records.md', '--yes');
  for (const task of ['T002', 'T003']) project.hold(task);
  const command = project.start('execute', '--batch');
  await until('agents work', () => ['T002', 'T003'].every((task) => project.turns().includes(task)));
  command.child.kill('SIGKILL');
  await command.ended;
  deleteDatabase(project.path);
  rmSync(join(project.path, '../home/state/tutti/backups'), { recursive: true });

  const recovered = await project.run('recover');
  const again = `plan it again: tutti plan SPEC --plan ${plan}; then, when its agents have ended: tutti execute --plan ${plan}`;
  expect(recovered.code).toBe(12);
  expect(recovered.stdout).toContain(`lost: plan ${plan}: `);
  expect(recovered.stdout).toContain(`  → plan ${plan}: ${again}\n`);
  expect(recovered.stdout).not.toContain('tutti resume');
  for (const run of [`${plan}-execute`, `${plan}-plan`]) {
    const { code, stderr } = await project.run('resume', run);
    expect(code, stderr).toBe(69);
    expect(stderr).toMatch(
      new RegExp(`^tutti: run ${run} cannot continue, because the record of plan ${plan} is lost\n`),
    );
    expect(stderr).toContain(again);
  }
  const { stdout, stderr } = await project.run('session', 'list', '--status', 'RUNNING');
  expect(stdout.match(/ RUNNING /g)).toHaveLength(2);
  expect(stderr).not.toContain('tutti resume');

  expect((await project.run('plan', 'records.md', '--plan', plan, '--yes')).code).toBe(0);
  for (const task of ['T002', 'T003']) project.release(task);
  expect((await project.run('execute', '--batch')).code).toBe(0);
  expect(project.turns().filter((turn) => turn === 'T002' || turn === 'T003')).toHaveLength(2);
});
