import { spawnSync } from 'node:child_process';
import { expect, test, vi } from 'vitest';
import { resumeRun } from '../../src/app/runs/control.ts';
import { openTutti } from '../../src/app/tutti.ts';
import { ledger, statusOf, writeShellProject } from '../e2e/project.ts';
import { until } from '../rig/attempt-rig.ts';
import { playedPerson } from '../rig/person.ts';
import { personProgram, startTutti, tutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

test('a run that is stopped while resume prepares stays stopped, and the next resume continues it', async () => {
  using folder = tempFolder();
  const { path } = folder;
  writeShellProject(path, { steps: [{ id: 'slow', agent: 'coder', prompt: 'go' }] });
  const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
  await until('the agent works', () => ledger(path).includes('slow begin'));
  run.child.kill('SIGKILL');
  await run.ended;
  const env = { PATH: process.env['PATH'], HOME: path };
  const opened = openTutti({ folder: path, env, caller: playedPerson(env), create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  using here = opened.value;
  // The last thing that resume does before it changes the run.
  const release = vi.spyOn(here.wishes, 'release').mockImplementationOnce(() => {
    expect(spawnSync(process.execPath, [personProgram, 'stop', 'r'], { cwd: path, env }).status).toBe(0);
  });
  expect(await resumeRun(here, 'r', [])).toMatchObject({
    ok: false,
    error: {
      outcome: 'INTERRUPTED',
      message: expect.stringMatching(
        /^run r was stopped by user:\w+ after this command began, and stays stopped$/,
      ) as string,
      hint: 'continue it after all: tutti resume r',
    },
  });
  expect(release).toHaveBeenCalledTimes(1);
  expect((await here.queries.run('r'))?.cancelled).toBe(true);
  // Whoever resumes now knows of the stop.
  expect(await resumeRun(here, 'r', [])).toMatchObject({ ok: true });
  expect((await here.queries.run('r'))?.cancelled).toBe(false);
  await tutti(path, 'stop', 'r');
  expect(await statusOf(path, 'r')).toMatchObject({ outcome: 'INTERRUPTED' });
});

test.for([
  ['stopped', 'r', 'was already stopped, and stays stopped'],
  ['failed', 'r', 'had already ended with FAILURE'],
  ['stopped', '--all', 'no run is under way'],
] as const)(
  'a run that had %s is not continued by a resume that still prepares when somebody types stop %s',
  async ([how, which, said]) => {
    using folder = tempFolder();
    const { path } = folder;
    const slow = { id: 'slow', agent: 'coder', prompt: 'go' };
    writeShellProject(path, { steps: [how === 'stopped' ? slow : { id: 'fails', command: ['false'] }] });
    const run = startTutti(path, ['run', 'flow.yaml', '--run-id', 'r']);
    if (how === 'stopped') {
      await until('the agent works', () => ledger(path).includes('slow begin'));
      await tutti(path, 'stop', 'r');
    }
    await run.ended;
    const before = await statusOf(path, 'r');
    const env = { PATH: process.env['PATH'], HOME: path };
    const opened = openTutti({ folder: path, env, caller: playedPerson(env), create: false });
    if (!opened.ok) throw new Error(opened.error.message);
    using here = opened.value;
    vi.spyOn(here.wishes, 'release').mockImplementationOnce(() => {
      const again = spawnSync(process.execPath, [personProgram, 'stop', which], { cwd: path, env });
      expect(again.stdout.toString()).toContain(said);
    });
    expect(await resumeRun(here, 'r', [])).toMatchObject({
      ok: false,
      error: {
        outcome: 'INTERRUPTED',
        message: 'run r was stopped after this command began, and stays stopped',
      },
    });
    expect(await statusOf(path, 'r')).toEqual(before);
    expect(await resumeRun(here, 'r', [])).toMatchObject({ ok: true });
    await tutti(path, 'stop', 'r');
  },
);
