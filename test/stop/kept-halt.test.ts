import { expect, test } from 'vitest';
import { ledger, statusOf, writeShellProject } from '../e2e/project.ts';
import { until } from '../rig/attempt-rig.ts';
import { startTutti, tutti } from '../rig/program.ts';
import { playedPerson } from '../rig/person.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { openTutti } from '../../src/app/tutti.ts';

test('a run whose halt is kept outside the database is halting, not running', async () => {
  using folder = tempFolder();
  const { path } = folder;
  writeShellProject(path, { steps: [{ id: 'slow', agent: 'coder', prompt: 'go' }] });
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  await until('the agent works', () => ledger(path).includes('slow begin'));
  expect(await statusOf(path, 'r')).toMatchObject({ state: 'running' });
  // As on a full disk: the file is there, and the holder has not recorded it.
  const env = { PATH: process.env['PATH'], HOME: path };
  const opened = openTutti({ folder: path, env, caller: playedPerson(env), create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  using place = opened.value;
  const kept = place.wishes.keep('r', 'halt', 'Ctrl-C', 'user:ada');
  expect(kept).not.toBeNull();
  expect(await statusOf(path, 'r')).toMatchObject({ state: 'halting' });
  const { stdout } = await tutti(path, 'runs', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ run_id: 'r', state: 'halting' });
  await tutti(path, 'stop', 'r');
  await run.ended;
});
