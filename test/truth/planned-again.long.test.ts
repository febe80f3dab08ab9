import { expect, test } from 'vitest';
import { PayProject, plan, until } from '../pay/project.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';

interface Status {
  readonly state: string;
  readonly steps: readonly { readonly id: string; readonly state: string }[];
}

test('a plan that was halted within a step and planned again waits for its approval, and all else is done', {
  timeout: hangLimitMs,
}, async () => {
  using project = new PayProject();
  project.hold('physical');
  const first = project.start('plan', 'records.md');
  await until(() => project.turns().includes('physical'));
  first.child.kill('SIGINT');
  await until(async () => (await project.run('status', `${plan}-plan`)).stdout.includes('halting'));
  project.release('physical');
  expect((await first.ended).code).toBe(24);
  const again = await project.runAsPerson('plan', 'records.md');
  expect(again.code, again.stderr).toBe(3);
  const status = JSON.parse((await project.run('status', `${plan}-plan`, '--json')).stdout) as Status;
  expect(status).toMatchObject({ state: 'waiting' });
  expect(status.steps.filter(({ state }) => state !== 'done')).toMatchObject([
    { id: 'approval', state: 'waiting' },
  ]);
  expect((await project.run('runs', '--json')).stdout).toContain('"state":"waiting"');
});
