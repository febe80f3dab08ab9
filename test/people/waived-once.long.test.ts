import { expect, test } from 'vitest';
import { PayProject, plan, until } from '../pay/project.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';

const limit = { timeout: hangLimitMs };

/** An approved plan that is executed with these flags and stopped while this task works. */
async function stoppedAt(project: PayProject, task: string, ...flags: readonly string[]): Promise<void> {
  await project.run('plan', 'records.md', '--yes');
  project.hold(task);
  const execute = project.start('execute', '--batch', ...flags);
  await until(() => project.turns().includes(task));
  await project.run('stop', `${plan}-execute`);
  await execute.ended;
  project.release(task);
  project.forgetTurns();
}

test(
  '--no-verify counts for its command: a resume verifies what is not done, and nothing that is',
  limit,
  async () => {
    using project = new PayProject();
    await stoppedAt(project, 'T002', '--no-verify');
    expect((await project.run('resume', `${plan}-execute`)).code).toBe(0);
    expect(project.turns()).toEqual(['T002', 'T002/verify']);
  },
);

test(
  '--no-verify counts for its command: execute without it verifies work that was paid for, and pays it once',
  limit,
  async () => {
    using project = new PayProject();
    await project.run('plan', 'records.md', '--yes');
    project.rules({ T001: { also: { 'extra.txt': 'more' } } });
    expect((await project.run('execute', '--batch', '--no-verify')).code).toBe(3);
    expect(project.turns().filter((turn) => turn.startsWith('T'))).toEqual(['T001']);
    project.forgetTurns();
    expect((await project.run('execute', '--batch')).code).toBe(3);
    await project.run('answer', 'Q1', 'accept');
    expect((await project.run('execute', '--batch')).code).toBe(0);
    expect(project.turns().toSorted()).toEqual(['T001/verify', 'T002', 'T002/verify']);
  },
);

test('--undeclared accept counts for its command: a resume asks about undeclared files', limit, async () => {
  using project = new PayProject();
  project.rules({ T001: { also: { 'extra.txt': 'more' } } });
  await stoppedAt(project, 'T001', '--undeclared', 'accept');
  const resumed = await project.run('resume', `${plan}-execute`);
  expect([resumed.code, resumed.stdout]).toEqual([3, expect.stringContaining('extra.txt')]);
  // Control: with the flag nothing is asked.
  await project.run('stop', `${plan}-execute`);
  expect((await project.run('execute', '--batch', '--undeclared', 'accept')).code).toBe(0);
});
