import { expect, test, vi } from 'vitest';
import { KeptWishes } from '../../src/app/runs/kept-wishes.ts';
import { answerQuestion } from '../../src/app/runs/answer-question.ts';
import { resumeRun } from '../../src/app/runs/control.ts';
import { stopRun } from '../../src/app/runs/stop-run.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { write } from '../cli/project.ts';
import { cli, type CliEnd } from '../cli/rig.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { openWithoutStops } from './without-stops.ts';

const approval = `steps:
  - { id: ap, command: [echo, built], gates: [{ approval: go on? }] }
  - { id: after, needs: [ap], command: [echo, after] }
`;

/** A run that waits for a person and was stopped, which is kept outside the database. */
async function stopUnrecorded(folder: string, work: (tutti: Tutti) => Promise<void>): Promise<void> {
  write(folder, { 'flow.yaml': approval });
  expect(await cli({ folder, stdin: '' }, 'run', 'flow.yaml', '--run-id', 'r')).toMatchObject({ code: 3 });
  using tutti = openWithoutStops(folder);
  const stopped = await stopRun(tutti, 'r');
  expect(stopped).toMatchObject({ ok: true, value: { unrecorded: expect.stringContaining('locked') } });
  await work(tutti);
}

const unrecorded =
  'run r is stopped, but the stop is not recorded yet: cannot use tutti.db: database is locked';

test('resume is refused while the stop of its run cannot be recorded, and one resume continues it later', async () => {
  using folder = tempFolder();
  const { path } = folder;
  await stopUnrecorded(path, async (tutti) => {
    expect(await resumeRun(tutti, 'r', [])).toEqual({
      ok: false,
      error: {
        outcome: 'UNAVAILABLE',
        message: unrecorded,
        hint: 'when that is over, try again: tutti resume r',
      },
    });
  });
  const tutti = (...args: readonly string[]): Promise<CliEnd> => cli({ folder: path, stdin: '' }, ...args);
  expect(await tutti('resume', 'r')).toMatchObject({
    code: 3,
    out: expect.stringContaining('● run resumed'),
  });
  expect((await tutti('inbox')).out).toContain('tutti answer Q1 1');
  expect(JSON.parse((await tutti('status', 'r', '--json')).out)).toMatchObject({
    state: 'waiting',
    unrecorded: null,
  });
});

test('a run whose stop is not recorded cannot be amended by its command typed again', async () => {
  using folder = tempFolder();
  const { path } = folder;
  await stopUnrecorded(path, () => Promise.resolve());
  using _locked = vi.spyOn(KeptWishes.prototype, 'all').mockImplementation(() => []);
  const again = await cli({ folder: path, stdin: '' }, 'run', 'flow.yaml', '--run-id', 'r');
  expect(again).toMatchObject({ code: 69, err: expect.stringContaining('run r is stopped') });
});

test('the watchdog records a stop that was kept outside the database', async () => {
  using folder = tempFolder();
  const { path } = folder;
  await stopUnrecorded(path, () => Promise.resolve());
  const tutti = (...args: readonly string[]): Promise<CliEnd> => cli({ folder: path, stdin: '' }, ...args);
  expect(await tutti('session', 'watchdog')).toMatchObject({ code: 0 });
  expect(JSON.parse((await tutti('status', 'r', '--json')).out)).toMatchObject({
    state: 'ended',
    outcome: 'INTERRUPTED',
    unrecorded: null,
  });
});

test('questions of a run whose stop is not recorded wait until it is resumed', async () => {
  using folder = tempFolder();
  const { path } = folder;
  const tutti = (...args: readonly string[]): Promise<CliEnd> => cli({ folder: path, stdin: '' }, ...args);
  await stopUnrecorded(path, async (place) => {
    expect((await tutti('inbox')).out).toBe('no open questions\n');
    const { out } = await tutti('status', 'r');
    expect(out).toMatch(/^run r · stopped /);
    expect((await tutti('runs')).out).toMatch(/ r {4}stopped /);
    expect(out).toMatch(/^○ ap .* waits because its run is stopped; continue the run: tutti resume r$/m);
    expect(out).toContain('stopped, but the stop is not recorded yet');
    expect(out).not.toContain('Q1');
    for (const words of [['runs'], ['status', 'r']])
      expect(JSON.parse((await tutti(...words, '--json')).out)).toMatchObject({ state: 'stopped' });
    expect(await answerQuestion(place, 'Q1', '1')).toEqual({
      ok: false,
      error: {
        outcome: 'UNAVAILABLE',
        message: unrecorded,
        hint: 'when that is over, try again: tutti answer Q1 TEXT',
      },
    });
  });
  // The database takes the stop again: the answer records it first, and is kept for the resume.
  expect((await tutti('answer', 'Q1', '1')).out).toContain(
    'run r is stopped and continues with it after: tutti resume r\n',
  );
  expect(await tutti('resume', 'r')).toMatchObject({ code: 0 });
});
