import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { advanceRun } from '../../src/app/runs/advance-run.ts';
import { checkFlow } from '../../src/app/runs/start-flow.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { runProcesses } from '../../src/runtime/end-run.ts';
import { Database } from '../../src/store/database.ts';
import { until } from '../rig/attempt-rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { playedPerson } from '../rig/person.ts';
import { openTutti, startFlow } from '../rig/trust.ts';

const runId = 'removed';
const approval = { id: 'asks', command: ['true'], gates: [{ approval: 'Ship it?' }] };

async function started(root: string, steps: readonly object[]): Promise<Tutti> {
  mkdirSync(root, { recursive: true });
  const command = ['sh', '-c', 'sleep 600'];
  writeFileSync(
    join(root, 'tutti.yaml'),
    stringify({ driver: 'mine', drivers: { mine: { type: 'command', command } } }),
  );
  writeFileSync(join(root, 'flow.yaml'), stringify({ name: 'long', steps }));
  const env = { PATH: process.env['PATH'], HOME: join(root, '..', 'home') };
  const opened = openTutti({ folder: root, env, caller: playedPerson(env), create: true });
  if (!opened.ok) throw new Error(opened.error.message);
  const request = { file: 'flow.yaml', folder: root, runId, maxParallel: null };
  const checked = checkFlow(request);
  if (!checked.ok) throw new Error(checked.error.message);
  const begun = await startFlow(opened.value, checked.value, request);
  if (!begun.ok) throw new Error(begun.error.message);
  return opened.value;
}

const message = /\.tutti was removed or replaced while run removed was under way: its agents were ended$/;

test('removing the state folder ends the run and its agents, and no file makes the folder again', async () => {
  using folder = tempFolder();
  using tutti = await started(join(folder.path, 'project'), [
    { id: 'sleeps', agent: 'coder', prompt: 'Sleep.' },
  ]);
  const { mark, state } = tutti.paths;
  const advanced = advanceRun(tutti, { runId, stay: false });
  await until('the agent works', () => runProcesses(mark, runId) > 0);
  rmSync(state, { recursive: true, force: true });
  const end = await advanced;
  expect(end).toMatchObject({
    ok: false,
    error: { outcome: 'UNAVAILABLE', message: expect.stringMatching(message) as string },
  });
  expect(runProcesses(mark, runId)).toBe(0);
  expect(existsSync(state)).toBe(false);
});

test('removing the database alone ends the run with a sentence about the database', async () => {
  using folder = tempFolder();
  using tutti = await started(join(folder.path, 'project'), [
    { id: 'sleeps', agent: 'coder', prompt: 'Sleep.' },
  ]);
  const advanced = advanceRun(tutti, { runId, stay: false });
  await until('the agent works', () => runProcesses(tutti.paths.mark, runId) > 0);
  rmSync(tutti.paths.database);
  const removed = /\.tutti\/tutti\.db was removed or replaced while run removed was under way/;
  expect(await advanced).toMatchObject({
    ok: false,
    error: { outcome: 'UNAVAILABLE', message: expect.stringMatching(removed) as string },
  });
});

test('a run that only waits for a person ends too', async () => {
  using folder = tempFolder();
  using tutti = await started(join(folder.path, 'project'), [approval]);
  const advanced = advanceRun(tutti, { runId, stay: true });
  await until('the question is asked', async () => (await tutti.queries.openQuestions(runId)).length > 0);
  rmSync(tutti.paths.state, { recursive: true, force: true });
  expect(await advanced).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(message) as string },
  });
});

test('control: a process that does not look goes on without its state', async () => {
  using folder = tempFolder();
  using tutti = await started(join(folder.path, 'project'), [approval]);
  const advanced = advanceRun(tutti, { runId, stay: true });
  await until('the question is asked', async () => (await tutti.queries.openQuestions(runId)).length > 0);
  const blind = vi.spyOn(Database.prototype, 'isInPlace').mockReturnValue(true);
  rmSync(tutti.paths.state, { recursive: true, force: true });
  const first = await Promise.race([advanced.then(() => 'ended'), pause(2000).then(() => 'goes on')]);
  blind.mockRestore();
  expect(first).toBe('goes on');
  expect((await advanced).ok).toBe(false);
});
