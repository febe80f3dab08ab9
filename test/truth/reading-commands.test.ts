import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordEnded } from '../../src/app/sessions/record-ended.ts';
import { cli } from '../cli/rig.ts';
import { SessionProject } from '../sessions/project.ts';
import { readingCommands } from './reading-commands.ts';
import { rowsOf } from './rows.ts';
import { type SilentEnds, silentEnds } from './silent-ends.ts';

const limitMs = 60_000;
let project: SessionProject;
let scene: SilentEnds;

beforeAll(async () => {
  project = new SessionProject();
  scene = await silentEnds(project);
}, limitMs);

afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
}, limitMs);

/** What follows the words of a command, so that it finds something to look at. */
function argumentsOf({ ended, vanished, run }: SilentEnds): Readonly<Record<string, readonly string[][]>> {
  return {
    status: [[run], [vanished]],
    events: [[run], [vanished]],
    report: [[run], [vanished]],
    completions: [['bash']],
    'session status': [[ended], [vanished]],
    'session attach': [[ended], [vanished]],
    'session logs': [[ended], [vanished, '--follow']],
    'task show': [['T001']],
    'bundle validate': [['T001']],
    'bundle validate-integrity': [['T001']],
  };
}

test('the commands that only look are found in the table of commands', () => {
  const commands = readingCommands();
  const some = ['status', 'runs', 'inbox', 'session list', 'session status', 'plan status', 'task list'];
  expect(commands).toEqual(expect.arrayContaining(some));
  expect(commands).not.toContain('session kill');
});

test(
  'a command that only looks changes no row where something ended silently',
  async () => {
    const given = argumentsOf(scene);
    const before = rowsOf(project.path);
    const refused: string[] = [];
    for (const words of [...readingCommands(), 'doctor']) {
      for (const args of given[words] ?? [[]]) {
        for (const form of [[], ['--json']]) {
          const line = [...words.split(' '), ...args, ...form];
          const { err } = await cli({ folder: project.path }, ...line);
          if (err.includes('readonly')) refused.push(line.join(' '));
          expect(rowsOf(project.path), line.join(' ')).toEqual(before);
        }
      }
    }
    expect(refused).toEqual([]);
  },
  limitMs,
);

test('sessions that ended silently are shown as ended', async () => {
  const { ended, vanished, promised, run } = scene;
  const options = { folder: project.path };
  const { out } = await cli(options, 'session', 'list', '--json');
  const rows = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { session_id: string; status: string; lost: boolean });
  const shown = (id: string) => rows.find(({ session_id }) => session_id === id);
  expect(shown(ended)).toMatchObject({ status: 'COMPLETED', lost: false });
  expect(shown(vanished)).toMatchObject({ status: 'FAILED', lost: true });
  expect(shown(promised)).toMatchObject({ status: 'CREATED', lost: false });
  expect((await cli(options, 'session', 'list', '--status', 'RUNNING', '--json')).out).toBe('');
  expect((await cli(options, 'session', 'list', '--status', 'FAILED')).out).toContain(vanished);
  expect((await cli(options, 'session', 'status', ended)).out).toContain(
    'no process has read its result yet',
  );
  expect(JSON.parse((await cli(options, 'status', run, '--json')).out)).toMatchObject({ driven_by: null });
  expect(JSON.parse((await cli(options, 'status', vanished, '--json')).out)).toMatchObject({
    state: 'undriven',
    steps: [{ state: 'queued' }],
  });
});

test('a lost attempt is shown as lost with the command that helps, and an unread end as unread', async () => {
  const { ended, vanished } = scene;
  const shown = async (run: string) => (await cli({ folder: project.path }, 'status', run)).out;
  const lost = `lost: its process vanished without a result; start it again: tutti resume ${vanished}`;
  const unread = 'its process has ended, and no process has read its result yet';
  expect(await shown(vanished)).toContain(lost);
  expect(await shown(vanished)).not.toContain(unread);
  const { out } = await cli({ folder: project.path }, 'costs', ended);
  expect(out).toContain('and 1 turn that ended and is counted once its run continues');
  expect(out).not.toContain('price');
  // Control: where the launcher recorded an end, there is something to read.
  expect(await shown(ended)).toContain(unread);
});

test('a command that only looks is refused when it tries to write', async () => {
  const before = rowsOf(project.path);
  const reader = project.open();
  await reader.store.refuseChanges();
  await expect(recordEnded(reader)).rejects.toThrow(/readonly/);
  expect(rowsOf(project.path)).toEqual(before);
});

test('control: the comparison sees a command that records what ended', async () => {
  const before = rowsOf(project.path);
  const settled = await recordEnded(scene.tutti);
  expect(settled.toSorted()).toEqual([scene.ended, scene.vanished].toSorted());
  expect(rowsOf(project.path)).not.toEqual(before);
});
