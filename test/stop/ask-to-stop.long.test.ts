import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ledger, processesOf, statusOf, until, writeShellProject } from '../e2e/project.ts';
import { Example, plan } from '../e2e/example.ts';
import { type StartedProgram, startTutti, tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const patient = { timeout: 240_000 };
const slow = { name: 'slow', steps: [{ id: 'slow', agent: 'coder', prompt: 'slow' }] };

test('stop without a name stops the only run under way, and lists them when there are more', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, slow);
  expect(await tutti(path, 'stop')).toMatchObject({ code: 0, stdout: 'no run is under way\n' });
  const runs = ['a', 'b'].map((id) => startTutti(path, ['run', 'flow.yaml', '--run-id', id]));
  const early = Promise.race(runs.map(({ ended }) => ended)).then((end) => {
    throw new Error(`a run ended early: ${JSON.stringify(end)}`);
  });
  await Promise.race([until('both work', () => ledger(path).length === 2), early]);
  early.catch(() => undefined);
  const which = await tutti(path, 'stop');
  expect(which.code).toBe(64);
  expect(which.stderr).toMatch(/2 runs are under way: [ab], [ab][\s\S]*tutti stop --all/);
  expect((await tutti(path, 'stop', 'a')).code).toBe(0);
  const only = await tutti(path, 'stop');
  expect(only.code, only.stderr).toBe(0);
  expect(only.stdout).toContain('run b is stopped');
  expect((await Promise.all(runs.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([20, 20]);
  expect(processesOf(path)).toEqual([]);
  expect((await tutti(path, 'stop')).stdout).toBe('no run is under way\n');
});

test('Ctrl-C names the agents that still work and how to stop them', async () => {
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  writeShellProject(path, slow);
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  await until('it works', () => ledger(path).length === 1);
  run.child.kill('SIGINT');
  await until('it halts', () => processesOf(path).length > 0 && run.child.exitCode === null);
  await untilState(path, 'halting');
  run.child.kill('SIGINT');
  const { code, stdout } = await run.ended;
  expect(code).toBe(20);
  expect(stdout).toContain(
    'halting: 1 agent (slow) still works and may finish, nothing new starts (Ctrl-C again stops them)',
  );
});

async function untilState(path: string, state: string): Promise<void> {
  for (let n = 0; n < 200; n += 1) if ((await statusOf(path, 'r')).state === state) return;
  throw new Error(`the run is never ${state}`);
}

/** Executes two tasks and presses Ctrl-C while the first works. */
async function interrupted(example: Example): Promise<StartedProgram> {
  await example.planned();
  const first = example.start('execute', '--task', 'T001', '--task', 'T002');
  await until('T001 works', () => example.turns().includes('T001'));
  first.child.kill('SIGINT');
  await until('the plan is halted', () => existsSync(join(example.planDir, 'STOP')));
  return first;
}

const both = ['T001', 'T001/verify', 'T002', 'T002/verify'];

test('execute continues after Ctrl-C, and refuses a plan that a person halted', patient, async () => {
  using example = new Example({ slow: [1] });
  const first = await interrupted(example);
  example.go();
  expect((await first.ended).code).toBe(24);
  await example.done('execute', '--task', 'T002');
  expect(example.turns().slice(5)).toEqual(both);
  await example.done('halt', plan, 'a person wants to look');
  expect((await example.tutti('execute')).code).toBe(24);
});

test('resume of a plan continues it after Ctrl-C and stop', patient, async () => {
  using example = new Example({ slow: [1] });
  const first = await interrupted(example);
  await example.done('stop', `${plan}-execute`);
  expect((await first.ended).code).toBe(20);
  example.go();
  await example.done('resume', plan);
  expect(example.turns().slice(5)).toEqual(['T001', ...both]);
});
