import { cpSync, realpathSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ledger, processesOf, statusOf, until, writeShellProject } from '../e2e/project.ts';
import { personProgram, startTutti, tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** A person in a folder that nothing was trusted in by the test, with the home that the project was made with. */
function personIn(folder: string, home: string) {
  return (...args: readonly string[]) => startTutti(folder, args, { HOME: home }, personProgram).ended;
}

const slow = { name: 'slow', steps: [{ id: 'slow', agent: 'coder', prompt: 'slow' }] };

test('a copy of a project takes no process of its original for its own', async () => {
  using folder = tempFolder();
  const place = realpathSync(folder.path);
  const [original, copy] = [join(place, 'original'), join(place, 'copy')];
  writeShellProject(original, slow);
  const run = startTutti(original, ['run', 'flow.yaml', '--run-id', 'r']);
  await until('it works', () => ledger(original).length === 1);
  cpSync(original, copy, { recursive: true });
  const inCopy = personIn(copy, original);
  const doctor = await inCopy('doctor');
  expect(doctor.stdout).toMatch(/^✕ database /m);
  expect(doctor.stdout).not.toMatch(/^✔ state /m);
  expect(await inCopy('trust', '--state', '--yes')).toMatchObject({ code: 0 });
  expect((await inCopy('status', 'r', '--json')).stdout).toContain('"undriven"');
  await inCopy('session', 'kill', 'last', '--force');
  await inCopy('stop', 'r');
  expect(await statusOf(original, 'r')).toMatchObject({ state: 'running', steps: [{ attempts: 1 }] });
  expect(processesOf(original)).not.toEqual([]);
  // The control: in the original the same command ends it.
  expect((await tutti(original, 'stop', 'r')).code).toBe(0);
  expect(processesOf(original)).toEqual([]);
  expect((await run.ended).code).toBe(20);
});

test('a project that was moved while it works keeps its processes', async () => {
  using folder = tempFolder();
  const place = realpathSync(folder.path);
  const [before, after] = [join(place, 'before'), join(place, 'after')];
  writeShellProject(before, slow);
  const run = startTutti(before, ['run', 'flow.yaml', '--run-id', 'r'], { HOME: place });
  await until('it works', () => ledger(before).length === 1);
  renameSync(before, after);
  const moved = personIn(after, place);
  expect(await moved('trust', '--state', '--yes')).toMatchObject({ code: 0 });
  await moved('stop', 'r');
  expect(processesOf(before)).toEqual([]);
  await run.ended;
});
