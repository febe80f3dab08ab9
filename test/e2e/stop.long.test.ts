import { appendFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { startTutti, tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { ledger, processesOf, statusOf, until, writeShellProject } from './project.ts';
import { openTutti } from '../rig/trust.ts';

const flow = {
  name: 'slow',
  concurrency: 3,
  steps: [
    { id: 'quick', agent: 'coder', prompt: 'quick' },
    { id: 'slow-1', needs: ['quick'], agent: 'coder', prompt: 'one' },
    {
      id: 'slow-2',
      needs: ['quick'],
      command: ['sh', '-c', '(setsid sleep 300 &) ; while [ ! -e go ]; do sleep 0.05; done'],
    },
    { id: 'last', needs: ['slow-1', 'slow-2'], command: ['true'] },
  ],
};

test('stop ends a run and every process it ever started, and it can be resumed', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, flow);
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  await until(
    'the slow agent works',
    () => ledger(path).includes('slow-1 begin') && processesOf(path).length >= 4,
  );

  // While it works the tables say so; there is no other truth to ask.
  const running = openTutti({ folder: path, env: {}, create: false });
  if (!running.ok) throw new Error(running.error.message);
  using seen = running.value;
  expect((await seen.queries.sessions.ofRun('r')).map(({ status }) => status)).toEqual([
    'COMPLETED',
    'RUNNING',
  ]);

  const stopped = await tutti(path, 'stop', 'r', '--json');
  expect(stopped.code, stopped.stderr).toBe(0);
  expect((await run.ended).code).toBe(20);
  expect(processesOf(path)).toEqual([]);
  expect(await statusOf(path, 'r')).toMatchObject({ state: 'ended', outcome: 'INTERRUPTED' });
  expect((await seen.queries.sessions.ofRun('r')).map(({ status }) => status)).toEqual([
    'COMPLETED',
    'KILLED',
  ]);

  writeFileSync(join(path, 'go'), '');
  const resumed = await tutti(path, 'resume', 'r');
  expect(resumed.code, resumed.stderr + resumed.stdout).toBe(0);
  // What had finished was not run again; what was ended had a second attempt.
  expect(ledger(path).filter((line) => line === 'quick begin').length).toBe(1);
  const { steps } = await statusOf(path, 'r');
  expect(steps.map(({ id, attempts }) => `${id} ${attempts}`)).toEqual([
    'quick 1',
    'slow-1 2',
    'slow-2 2',
    'last 1',
  ]);
  await tutti(path, 'stop', 'r');
  expect(processesOf(path)).toEqual([]);
});

test('stopping a run does not touch a run of the same name in another project', async () => {
  using one = tempFolder();
  using other = tempFolder();
  const [here, there] = [realpathSync(one.path), realpathSync(other.path)];
  for (const path of [here, there]) writeShellProject(path, flow);
  const runs = [here, there].map((path) => startTutti(path, ['run', 'flow.yaml', '--run-id', 'same']));
  for (const path of [here, there]) {
    await until('the slow agents work', () => ledger(path).includes('slow-1 begin'));
  }
  expect((await tutti(here, 'stop', 'same')).code).toBe(0);
  expect(processesOf(here)).toEqual([]);
  expect(processesOf(there).length).toBeGreaterThan(0);

  writeFileSync(join(there, 'go'), '');
  const [stopped, finished] = await Promise.all(runs.map(({ ended }) => ended));
  expect([stopped?.code, finished?.code]).toEqual([20, 0]);
  await tutti(there, 'stop', 'same');
});

test.each([
  ['stop --all', ['stop', '--all'], 20],
  ['session kill', ['session', 'kill', 'last', '--force'], null],
] as const)('%s works with a mistake in tutti.yaml', async (_, words, code) => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, { ...flow, steps: flow.steps.slice(0, 2) });
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  await until('the slow agent works', () => ledger(path).includes('slow-1 begin'));
  appendFileSync(join(path, 'tutti.yaml'), '\nmax_session: 3\n');
  const look = await tutti(path, 'status');
  expect(look.code).toBe(64);
  expect(look.stderr).toContain('unknown member "max_session"');
  const stopped = await tutti(path, ...words);
  expect(stopped.code, stopped.stderr).toBe(0);
  const end = await run.ended;
  if (code !== null) expect(end.code).toBe(code);
  await tutti(path, 'stop', '--all');
  expect(processesOf(path)).toEqual([]);
});
