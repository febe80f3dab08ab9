import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { identify } from '../lib/process/identity.ts';
import { usualLimits } from '../../test/misbehaving/children.ts';
import { achievableLimits } from './limits/plan.ts';
import { type CheckCommand, runCheck } from './check-command.ts';

const parent = { PATH: process.env['PATH'], HOME: '/home/ada', TOKEN: 'secret', TUTTI_ATTEMPT_ID: 'mark' };

function check(cwd: string, line: string, more: Partial<CheckCommand> = {}) {
  return runCheck({ argv: ['sh', '-c', line], cwd, parent, names: [], timeoutMs: 60_000, ...more });
}

test('it tells the exit code and what was printed, both streams', async () => {
  using folder = tempFolder();
  expect(await check(folder.path, 'echo out; echo err >&2; exit 3')).toEqual({
    exitCode: 3,
    signal: null,
    timedOut: false,
    output: expect.stringMatching(/^(?:out\nerr|err\nout)\n$/),
  });
});

test('only the end of a flood is kept', async () => {
  using folder = tempFolder();
  const { output } = await check(folder.path, 'yes | head -c 200000; echo last');
  expect(output.length).toBeLessThanOrEqual(32 * 1024);
  expect(output).toMatch(/last\n$/);
});

test("the operator's secrets stay outside; the session it belongs to stays known", async () => {
  using folder = tempFolder();
  const { output } = await check(folder.path, 'echo "$TOKEN|$HOME|$TUTTI_ATTEMPT_ID"');
  expect(output).toBe('|/home/ada|mark\n');
  expect((await check(folder.path, 'echo "$TOKEN"', { names: ['TOKEN'] })).output).toBe('secret\n');
});

test('a signal that ends it is told, and its environment has what was added', async () => {
  using folder = tempFolder();
  const end = await check(folder.path, 'echo "$PORT"; kill -KILL $$', { extra: { PORT: '20000' } });
  expect(end).toEqual({ exitCode: null, signal: 'SIGKILL', timedOut: false, output: '20000\n' });
});

test('one that does not end is ended, with everything it started', async () => {
  using folder = tempFolder();
  const end = await check(folder.path, 'setsid sleep 600 & echo $! > pid; sleep 600', { timeoutMs: 1500 });
  expect(end).toMatchObject({ exitCode: null, timedOut: true });
  expect(identify(Number(readFileSync(join(folder.path, 'pid'), 'utf8')))).toBeNull();
});

test('what it leaves running is ended, and does not keep anybody waiting', async () => {
  using folder = tempFolder();
  const end = await check(folder.path, 'sleep 600 & echo $! > pid');
  expect(end).toMatchObject({ exitCode: 0, timedOut: false });
  expect(identify(Number(readFileSync(join(folder.path, 'pid'), 'utf8')))).toBeNull();
});

test('what shed its mark and holds the output open keeps nobody waiting', async () => {
  using folder = tempFolder();
  // Away from its parent, its session and its environment.
  const end = await check(
    folder.path,
    'setsid env -i sh -c "echo \\$\\$ > pid; exec sleep 600" & sleep 0.5; echo done',
  );
  expect(end).toMatchObject({ exitCode: 0, timedOut: false, output: 'done\n' });
  const pid = Number(readFileSync(join(folder.path, 'pid'), 'utf8'));
  // Control groups lead to it all the same.
  if (achievableLimits(usualLimits).achieved.tree === 'cgroup') expect(identify(pid)).toBeNull();
  else process.kill(pid, 'SIGKILL');
});

test('one that cannot be started is no success', async () => {
  const end = await check('/nowhere/at/all', 'true');
  expect(end).toMatchObject({ exitCode: null, timedOut: false, output: expect.stringContaining('ENOENT') });
});
