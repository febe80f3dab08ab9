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

test.each([
  ['answer', 'Q1', 'accept'],
  ['answer', 'Q1', 'verify again'],
  ['plan', 'verify'],
])(
  '--yes counts for its command: a plan that `tutti %s %s %s` continues is asked about',
  limit,
  async (...words) => {
    using project = new PayProject();
    project.write('mood.json', JSON.stringify([['validation', 'block']]));
    expect((await project.run('plan', 'records.md', '--yes')).code).toBe(3);
    project.write('mood.json', '[]');
    await project.run(...words.filter((word) => word !== undefined));
    const open = async (): Promise<string> => (await project.run('inbox')).stdout;
    await until(async () => (await open()).includes('Approve plan'));
    const { stdout } = await project.run('plan', 'status', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ phase: 'ready', approval: null });
  },
);

test('--yes counts for its command: a plan that waited for no one is approved by it', limit, async () => {
  using project = new PayProject();
  expect((await project.run('plan', 'records.md', '--yes')).code).toBe(0);
  expect((await project.run('inbox')).stdout).toContain('no open questions');
});
