import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { stopRun } from '../../src/app/runs/stop-run.ts';
import { storeUnavailable } from '../../src/store/errors.ts';
import { ledger, writeShellProject } from '../e2e/project.ts';
import { PayProject, plan } from '../pay/project.ts';
import { until } from '../rig/attempt-rig.ts';
import { startTutti, tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { openWithoutStops } from './without-stops.ts';

const steps = [
  { id: 'a', agent: 'coder', prompt: 'go' },
  { id: 'slow-b', agent: 'coder', prompt: 'go', needs: ['a'] },
  { id: 'd', agent: 'coder', prompt: 'go', needs: ['slow-b'] },
];
const paid = ['a begin', 'slow-b begin', 'slow-b begin', 'd begin'];

/** A run whose second agent works, and whose holder was killed. */
async function loseHolder(folder: string): Promise<void> {
  writeShellProject(folder, { steps });
  const run = startTutti(folder, ['run', 'flow.yaml', '--run-id', 'r']);
  await until('the second agent works', () => ledger(folder).includes('slow-b begin'));
  run.child.kill('SIGKILL');
  await run.ended;
}

function turns(folder: string): readonly string[] {
  return ledger(folder).filter((line) => line.endsWith(' begin'));
}

test.each([
  ['resume', 'r'],
  ['run', 'flow.yaml', '--run-id', 'r'],
])('%s launches a turn again that a person killed while no process held its run', async (...command) => {
  using folder = tempFolder();
  const { path } = folder;
  await loseHolder(path);
  expect(await tutti(path, 'session', 'kill', 'last', '--force')).toMatchObject({ code: 0 });
  writeFileSync(join(path, 'go'), '');
  const continued = await tutti(path, ...command);
  expect(continued, continued.stdout).toMatchObject({ code: 0 });
  expect(turns(path)).toEqual(paid);
});

test('resume launches a turn again that a stop killed while neither the stop nor its reason could be written', async () => {
  using folder = tempFolder();
  const { path } = folder;
  await loseHolder(path);
  {
    using place = openWithoutStops(path);
    vi.spyOn(place.store, 'complete').mockImplementation(() =>
      Promise.reject(storeUnavailable('tutti.db', new Error('database is locked'))),
    );
    expect(await stopRun(place, 'r')).toMatchObject({
      ok: true,
      value: { unrecorded: expect.stringContaining('locked') },
    });
  }
  // As on a full disk.
  const sessions = join(path, '.tutti', 'sessions');
  for (const id of readdirSync(sessions)) rmSync(join(sessions, id, 'ending'), { force: true });
  writeFileSync(join(path, 'go'), '');
  const continued = await tutti(path, 'resume', 'r');
  expect(continued, continued.stdout).toMatchObject({ code: 0 });
  expect(turns(path)).toEqual(paid);
});

test('a turn that is killed after its run was continued interrupts the run', async () => {
  using folder = tempFolder();
  const { path } = folder;
  await loseHolder(path);
  const resumed = startTutti(path, ['resume', 'r']);
  const held = async (): Promise<boolean> => {
    const { stdout } = await tutti(path, 'status', 'r', '--json');
    return (JSON.parse(stdout) as { readonly state: string }).state === 'running';
  };
  await until('it is held', held);
  expect(await tutti(path, 'session', 'kill', 'last', '--force')).toMatchObject({ code: 0 });
  expect(await resumed.ended).toMatchObject({ code: 20 });
  expect(turns(path)).toEqual(['a begin', 'slow-b begin']);
});

test.each([
  ['execute', '--batch'],
  ['resume', `${plan}-execute`],
])(
  '%s launches the turn of a task again that a person killed while no process held its run',
  async (...command) => {
    using project = new PayProject();
    await project.run('plan', 'records.md', '--yes');
    project.forgetTurns();
    project.hold('T001');
    const execute = project.start('execute', '--batch');
    await until('T001 works', () => project.turns().includes('T001'));
    execute.child.kill('SIGKILL');
    await execute.ended;
    expect(await project.run('session', 'kill', 'last', '--force')).toMatchObject({ code: 0 });
    project.release('T001');
    const continued = await project.run(...command);
    expect(continued, continued.stdout).toMatchObject({ code: 0 });
    expect(project.turns()).toEqual(['T001', 'T001', 'T001/verify', 'T002', 'T002/verify']);
  },
);
