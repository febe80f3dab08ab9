import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject, type Json } from '../../src/lib/json.ts';
import { startTutti } from '../rig/program.ts';
import { Example, plan, specName } from './example.ts';

const slow = { timeout: 300_000 };

function member(text: string, name: string): Json | undefined {
  const value = JSON.parse(text) as Json;
  return isObject(value) ? value[name] : undefined;
}

test('plan, plan show and execute name what is not committed, and no task sees it', slow, async () => {
  using example = new Example();
  example.write('src/half-done.js', 'export const half = 1;\n');
  // Read where they are: not work that a task could miss.
  example.write(specName, `${example.read(specName)}\nA sentence that is not committed.\n`);
  example.write('tutti.yaml', `${example.read('tutti.yaml')}# mine\n`);
  const named = 'src/half-done.js; tasks work without it';
  const planned = await example.tutti('plan', specName, '--new', '--yes');
  expect(planned.code, planned.stderr).toBe(0);
  expect(planned.stderr).toContain(`not committed: ${named}`);
  expect(await example.done('plan', 'show')).toContain(`not committed ${named}`);
  expect(member(await example.done('plan', 'show', '--json'), 'uncommitted')).toEqual(['src/half-done.js']);
  const executed = await example.tutti('execute', '--task', 'T001');
  expect(executed.stderr).toContain(`not committed: ${named}`);
  expect(example.git('ls-tree', '-r', '--name-only', `tutti/${plan}/integration`)).not.toContain('half-done');
});

test('land names the branch, and a branch that was switched to has to be meant', slow, async () => {
  using example = new Example();
  await example.planned();
  await example.done('execute', '--task', 'T001');
  const first = example.git('branch', '--show-current').trim();
  example.git('switch', '-qc', 'release');
  const refused = await example.tutti('land');
  expect(refused.code).toBe(64);
  expect(refused.stderr).toContain(`plan ${plan} began on branch ${first}, and your checkout is on release`);
  expect(refused.stderr).toContain(
    `if you mean it: tutti land --plan ${plan} --into release; if not: git switch ${first}`,
  );
  expect(example.git('log', '--oneline', `${first}..release`)).toBe('');
  expect(await example.done('land', '--into', 'release')).toContain('on branch release (');
  example.git('switch', '-q', first);
  expect(existsSync(join(example.path, 'src'))).toBe(false);
  const landed = JSON.parse(await example.done('land', '--json')) as Json;
  expect(landed).toMatchObject({ at: 'delivered', branch: first });
});

test(
  'land never calls work delivered that it cannot see: without git, and with another state directory',
  slow,
  async () => {
    using example = new Example();
    await example.planned();
    await example.done('execute', '--task', 'T001');
    const land = (env: Readonly<Record<string, string>>) =>
      startTutti(example.path, ['land'], { HOME: example.home, ...env }).ended;
    const without = await land({ PATH: example.home });
    expect([without.code, without.stdout]).toEqual([69, '']);
    expect(without.stderr).toContain('git cannot be started; install it');
    const elsewhere = await land({ XDG_STATE_HOME: join(example.home, 'elsewhere') });
    expect([elsewhere.code, elsewhere.stdout]).toEqual([69, '']);
    expect(elsewhere.stderr).toContain(`the landed work of plan ${plan} is not in `);
    expect(elsewhere.stderr).toContain(`git log tutti/${plan}/integration`);
    expect((await land({})).stdout).toContain('on branch');
  },
);
