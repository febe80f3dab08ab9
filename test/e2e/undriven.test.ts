import { realpathSync } from 'node:fs';
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
  const driving = await statusOf(path, 'r');
  expect(driving).toMatchObject({ state: 'running', driven_by: run.child.pid });
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
