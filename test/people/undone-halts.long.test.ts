import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from '../cli/rig.ts';
import { asking, write } from '../cli/project.ts';
import { PayProject, plan, until } from '../pay/project.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { openTutti } from '../rig/trust.ts';

const limit = { timeout: hangLimitMs };
const agent = { TUTTI_SESSION_ID: '20250101-000000-coder' };

/** A run that waits for a person, and the commands of a person and of an agent. */
async function waitingRun(folder: string) {
  write(folder, { 'flow.yaml': asking });
  const person = (...args: readonly string[]) => cli({ folder }, ...args);
  const inside = (...args: readonly string[]) => cli({ folder, env: agent }, ...args);
  expect((await person('run', 'flow.yaml', '--run-id', 'r')).code).toBe(3);
  const state = async () => {
    const opened = openTutti({ folder, env: { HOME: folder }, create: false });
    if (!opened.ok) throw new Error(opened.error.message);
    using tutti = opened.value;
    return (await tutti.queries.run('r'))?.state;
  };
  return { person, inside, state };
}

test.each(['halt', 'stop'])(
  'an agent does not continue a run after the %s of a person',
  limit,
  async (word) => {
    using folder = tempFolder();
    const { person, inside, state } = await waitingRun(realpathSync(folder.path));
    expect((await person(word, 'r')).code).toBe(0);
    const before = await state();
    expect(before?.at).toBe(word === 'halt' ? 'halted' : 'ended');
    for (const command of [
      ['resume', 'r'],
      ['resume', 'r', '--step', 'build'],
      ['resume', 'r', '--refresh'],
      ['run', 'flow.yaml', '--run-id', 'r'],
    ]) {
      const { code, err } = await inside(...command);
      expect([command.join(' '), code, err]).toEqual([
        command.join(' '),
        3,
        expect.stringContaining('only a person may continue what a person halted or stopped'),
      ]);
      expect(await state()).toEqual(before);
    }
    // The agent cannot make the halt its own either.
    await inside(word, 'r');
    expect((await inside('resume', 'r')).code).toBe(3);
    expect(await state()).toEqual(before);
    expect((await person('session', 'audit', '--event', 'decision')).out).toContain('resume');
    // Control: the person continues it, and the run asks again.
    expect((await person('resume', 'r')).out).toContain('run r continues');
    expect(await state()).toEqual({ at: 'running' });
  },
);

test(
  'an agent that continues a halted run is refused for that first, also where the project is not trusted',
  limit,
  async () => {
    using folder = tempFolder();
    const path = realpathSync(folder.path);
    const { person, state } = await waitingRun(path);
    expect((await person('halt', 'r')).code).toBe(0);
    const before = await state();
    write(path, { 'tutti.yaml': 'driver: mine\ndrivers: {mine: {type: command, command: [sh]}}\n' });
    const untrusted = (env: Readonly<Record<string, string>>, ...words: readonly string[]) =>
      cli({ folder: path, env, trusts: false, stdin: '' }, ...words);
    expect((await untrusted({}, 'trust', '--revoke', '--yes')).code).toBe(0);
    expect(await untrusted(agent, 'resume', 'r')).toEqual({
      out: '',
      code: 3,
      err: expect.stringMatching(
        /^tutti: only a person may continue what a person halted or stopped, .*\n {2}→ ask the person .*\n$/,
      ) as string,
    });
    // Control: a person is asked to look at what is not trusted.
    expect(await untrusted({}, 'resume', 'r')).toMatchObject({
      code: 64,
      err: expect.stringContaining('tutti trust') as string,
    });
    expect(await state()).toEqual(before);
  },
);

test('an agent continues what an agent halted, until a person halts it too', limit, async () => {
  using folder = tempFolder();
  const { person, inside, state } = await waitingRun(realpathSync(folder.path));
  for (const word of ['halt', 'stop']) {
    expect((await inside(word, 'r')).code).toBe(0);
    expect((await inside('resume', 'r')).out).toContain('run r continues');
    expect(await state()).toEqual({ at: 'running' });
  }
  await inside('halt', 'r');
  await person('halt', 'r');
  expect((await inside('resume', 'r')).code).toBe(3);
  expect((await state())?.at).toBe('halted');
});

test('a person can delegate to agents that they continue what was halted', limit, async () => {
  using folder = tempFolder();
  const { person, inside, state } = await waitingRun(realpathSync(folder.path));
  await person('halt', 'r');
  expect((await person('allow', 'resume', '--for', '1h')).code).toBe(0);
  expect((await inside('resume', 'r')).out).toContain('run r continues');
  expect(await state()).toEqual({ at: 'running' });
  expect((await person('session', 'audit', '--event', 'decision')).out).toContain(
    `session:${agent.TUTTI_SESSION_ID} for user:`,
  );
});

test('an agent ends no halt of a plan by resume, execute or plan', limit, async () => {
  using project = new PayProject();
  await project.run('plan', 'records.md', '--yes');
  project.hold('T001');
  const execute = project.start('execute', '--batch');
  await until(() => project.turns().includes('T001'));
  expect((await project.runAsPerson('halt', plan)).code).toBe(0);
  project.release('T001');
  expect((await execute.ended).code).toBe(24);
  const before = project.turns();
  const stop = join(project.path, '.tutti', 'plans', plan, 'STOP');
  for (const command of [
    ['resume', plan],
    ['resume', plan, '--clear-only'],
    ['resume', `${plan}-execute`],
    ['execute', '--batch'],
    ['plan', '--plan', plan],
  ]) {
    const { code } = await project.runInside(...command);
    expect([command, code]).toEqual([command, expect.toBeOneOf([3, 24])]);
    expect(existsSync(stop)).toBe(true);
  }
  expect(project.turns()).toEqual(before);
  // Control: the person continues it.
  expect((await project.run('resume', plan)).code).toBe(0);
  expect(project.turns().length).toBeGreaterThan(before.length);
});

test("an agent does not execute a plan again after a person's Ctrl-C", limit, async () => {
  using project = new PayProject();
  await project.run('plan', 'records.md', '--yes');
  project.hold('T001');
  const execute = project.startAsPerson('execute', '--batch');
  await until(() => project.turns().includes('T001'));
  execute.child.kill('SIGINT');
  await until(() => existsSync(join(project.path, '.tutti', 'plans', plan, 'STOP')));
  project.release('T001');
  expect((await execute.ended).code).toBe(24);
  const before = project.turns();
  expect((await project.runInside('execute', '--batch')).code).toBe(3);
  expect(project.turns()).toEqual(before);
  expect((await project.runAsPerson('execute', '--batch')).code).toBe(0);
});
