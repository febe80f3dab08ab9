import { existsSync, readdirSync, readFileSync, realpathSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTutti, tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { ledger, processesOf, statusOf, until, writeShellProject } from './project.ts';

const flow = {
  name: 'slow',
  concurrency: 2,
  steps: [
    { id: 'quick', agent: 'coder', prompt: 'quick' },
    { id: 'slow-1', agent: 'coder', prompt: 'one' },
  ],
};

test('a holder that died is not named, in text or JSON, and the run is not called running', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, flow);
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  await until('the agent works', () => ledger(path).includes('slow-1 begin'));
  const advancing = await statusOf(path, 'r');
  expect(advancing).toMatchObject({ state: 'running', driven_by: run.child.pid });
  run.child.kill('SIGKILL');
  await run.ended;

  expect(await statusOf(path, 'r')).toMatchObject({ state: 'undriven', driven_by: null });
  const { stdout } = await tutti(path, 'status', 'r');
  expect(stdout).toContain('run r · undriven');
  expect(stdout).toContain('no process advances it\n  → continue: tutti resume r\n');
  expect(stdout).not.toContain(String(run.child.pid));
  expect((await tutti(path, 'runs')).stdout).toMatch(/r +undriven/);
  await tutti(path, 'stop', 'r');
  expect(processesOf(path)).toEqual([]);
});

test('a session ended when its launcher recorded that, not when a command noticed it', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, flow);
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  await until('the agent works', () => ledger(path).includes('slow-1 begin'));
  run.child.kill('SIGKILL');
  await run.ended;
  writeFileSync(join(path, 'go'), '');
  const sessions = join(path, '.tutti', 'sessions');
  const slow =
    readdirSync(sessions).find((id) =>
      readFileSync(join(sessions, id, 'prompt.md'), 'utf8').includes('one'),
    ) ?? '';
  const exit = join(sessions, slow, 'exit');
  await until('the agent is gone', () => existsSync(exit) && processesOf(path).length === 0);
  // As if the command came an hour later: the launcher's record is older than any clock of the command's own.
  const then = new Date(Math.floor(Date.now() / 1000) * 1000 - 500);
  utimesSync(exit, then, then);
  expect((await tutti(path, 'resume', 'r')).code).toBe(0);
  const { stdout } = await tutti(path, 'session', 'status', slow, '--json');
  const { completed_at: told, started_at: begun } = JSON.parse(stdout) as Record<string, string>;
  expect(Date.parse(told ?? '')).toBe(Math.max(then.getTime(), Date.parse(begun ?? '')));
});

test('session wait reads the end of a turn whose holder died', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  const after = [{ id: 'next', needs: ['slow-1'], command: ['true'] }];
  writeShellProject(path, { ...flow, steps: [...flow.steps, ...after] });
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  await until('the agent works', () => ledger(path).includes('slow-1 begin'));
  run.child.kill('SIGKILL');
  await run.ended;
  writeFileSync(join(path, 'go'), '');
  await until('the agent is gone', () => processesOf(path).length === 0);

  const first = await tutti(path, 'session', 'wait', 'last', '--json');
  expect(JSON.parse(first.stdout)).toMatchObject({ status: 'COMPLETED', outcome: 'SUCCESS' });
  expect(first.code).toBe(0);
  expect((await tutti(path, 'resume', 'r')).code).toBe(0);
});

test('session wait names the run of its session when it continues it', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, flow);
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  await until('the agent works', () => ledger(path).includes('slow-1 begin'));
  run.child.kill('SIGKILL');
  await run.ended;
  const waited = await tutti(path, 'session', 'wait', 'last', '--timeout', '1s');
  expect(waited.code).toBe(21);
  expect(waited.stderr).toContain(
    'run r, which no process advanced, continues in the background too\n  → stop it: tutti stop r\n',
  );
  expect((await tutti(path, 'stop', 'r')).code).toBe(0);
  await until('no process of the project lives', () => processesOf(path).length === 0);
});
