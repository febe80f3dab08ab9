import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import type { DriverEvent } from '../../model/driver.ts';
import type { CassetteTurn } from '../../model/schemas/cassette.ts';
import { play } from './play.ts';

async function played(turn: CassetteTurn, workspace: string, addDirs: readonly string[] = []) {
  const events: DriverEvent[] = [];
  const waited: number[] = [];
  const stops: string[] = [];
  const exit = await play(turn, {
    workspace,
    addDirs,
    resultPath: join(workspace, 'result.json'),
    variables: new Map([
      ['WORKSPACE', workspace],
      ['STEP', 'build'],
    ]),
    env: process.env,
    emit: (event) => events.push(event),
    wait: (durationMs) => {
      waited.push(durationMs);
      return Promise.resolve();
    },
    hang: () => Promise.reject(new Error('hung')),
    now: () => 1000,
    untold: () => stops.push('untold'),
    stopped: (stop) => stops.push(stop),
    dieBy: (signal) => Promise.reject(new Error(`died by ${signal}`)),
  });
  return { exit, events, waited, ...(stops.length === 0 ? {} : { stops }) };
}

test('a turn does everything it says, in its order, with variables filled in', async () => {
  using folder = tempFolder();
  const turn: CassetteTurn = {
    delay_ms: 7,
    files: { '{STEP}.js': 'process.stdout.write("{STEP} ${x}");\n', 'log.txt': 'a' },
    append: { 'log.txt': 'b' },
    commands: [
      [
        process.execPath,
        '-e',
        'require("fs").writeFileSync("made.txt", require("fs").readFileSync("log.txt"))',
      ],
      { command: [process.execPath, '-e', 'process.exit(3)'], may_fail: true },
    ],
    text: 'I am in {WORKSPACE}, not in {NOWHERE}',
    tools: [{ name: 'Edit', target: '{STEP}.js' }, { name: 'Bash' }],
    usage: { input_tokens: 5 },
    result: { status: 'success', artifacts: ['{STEP}.js'], more: [1, null, true] },
    exit: 4,
  };
  const { exit, events, waited } = await played(turn, folder.path);
  const read = (name: string): string => readFileSync(join(folder.path, name), 'utf8');
  expect(read('build.js')).toBe('process.stdout.write("build ${x}");\n');
  expect(read('made.txt')).toBe('ab');
  expect(JSON.parse(read('result.json'))).toEqual({
    status: 'success',
    artifacts: ['build.js'],
    more: [1, null, true],
  });
  expect(events).toEqual([
    { type: 'text', text: `I am in ${folder.path}, not in {NOWHERE}` },
    { type: 'tool', name: 'Edit', target: 'build.js' },
    { type: 'tool', name: 'Bash', target: '' },
    { type: 'usage', usage: { inputTokens: 5, outputTokens: null, costUsd: null } },
  ]);
  expect({ exit, waited }).toEqual({ exit: 4, waited: [7] });
});

test('a turn that says nothing succeeds and does nothing', async () => {
  using folder = tempFolder();
  expect(await played({}, folder.path)).toEqual({ exit: 0, events: [], waited: [] });
  expect(existsSync(join(folder.path, 'result.json'))).toBe(false);
});

test('a result given as text is written as it is, nonsense included', async () => {
  using folder = tempFolder();
  await played({ result: '{not json' }, folder.path);
  expect(readFileSync(join(folder.path, 'result.json'), 'utf8')).toBe('{not json');
});

test.each([
  [{ files: { '../x': '' } }, 'leads outside the workspace'],
  [{ append: { '/etc/tutti-test': '' } }, 'leads outside the workspace'],
  [{ bytes: { '../x': '' } }, 'leads outside the workspace'],
  [{ delete: ['../x'] }, 'leads outside the workspace'],
  [{ delete: ['.'] }, 'leads outside the workspace'],
  [{ executable: ['../x'] }, 'leads outside the workspace'],
  [{ executable: ['nothing'] }, 'cannot be made executable'],
  [
    { commands: [[process.execPath, '-e', 'console.log("why"); process.exit(2)']] },
    'ended with exit code 2: why',
  ],
  [{ commands: [['no-such-program-at-all']] }, 'ENOENT'],
  [{ commands: [[process.execPath, '-e', 'process.kill(process.pid)']] }, 'was ended by SIGTERM'],
] as const)('%j stops the turn with a problem, and no result', async (turn, why) => {
  using folder = tempFolder();
  const written = { ...(turn as CassetteTurn), result: { status: 'success' } };
  const { exit, events } = await played(written, folder.path);
  expect(exit).toBe(1);
  expect(events).toEqual([{ type: 'problem', message: expect.stringContaining(why) }]);
  expect(existsSync(join(folder.path, 'result.json'))).toBe(false);
});

test('a turn that hangs has spoken, and never writes its result', async () => {
  using folder = tempFolder();
  await expect(played({ hang: true, text: 'x', result: {} }, folder.path)).rejects.toThrow('hung');
  expect(existsSync(join(folder.path, 'result.json'))).toBe(false);
});

test('recorded events are played in their order, each as the driver told it', async () => {
  using folder = tempFolder();
  const turn: CassetteTurn = {
    events: [
      { conversation: '{STEP}' },
      { text: 'in {STEP}' },
      { tool: { name: 'Edit', target: '{STEP}.js' } },
      { tool: { name: 'Bash' } },
      { files: ['{STEP}.js'] },
      { retrying: 'the model answered 529' },
      { denied: { tool: 'Bash', reason: 'not allowed' } },
      { denied: { tool: 'Bash' } },
      { blocked: { tool: 'Write', reason: 'no writes in {STEP}' } },
      { blocked: { tool: 'Write' } },
      { waiting: 'the next message' },
      { problem: 'API Error' },
      { limit: { reset_at: '1970-01-01T00:00:05Z' } },
      { limit: { reset_in: 30_000 } },
      { limit: {} },
      { usage: { input_tokens: 1, cost_usd: null } },
    ],
  };
  expect((await played(turn, folder.path)).events).toEqual([
    { type: 'conversation', id: '{STEP}' },
    { type: 'text', text: 'in build' },
    { type: 'tool', name: 'Edit', target: 'build.js' },
    { type: 'tool', name: 'Bash', target: '' },
    { type: 'files', paths: ['build.js'] },
    { type: 'retrying', reason: 'the model answered 529' },
    { type: 'denied', tool: 'Bash', reason: 'not allowed' },
    { type: 'denied', tool: 'Bash', reason: '' },
    { type: 'blocked', tool: 'Write', reason: 'no writes in build' },
    { type: 'blocked', tool: 'Write', reason: '' },
    { type: 'waiting', why: 'the next message' },
    { type: 'problem', message: 'API Error' },
    { type: 'limit', resetAt: 5000 },
    { type: 'limit', resetAt: 31_000 },
    { type: 'limit', resetAt: null },
    { type: 'usage', usage: { inputTokens: 1, outputTokens: null, costUsd: null } },
  ]);
});

test('a limit is an event, a stop and an exit code in one word', async () => {
  using folder = tempFolder();
  expect(await played({ limit: { reset_in: 1000 } }, folder.path)).toMatchObject({
    exit: 1,
    events: [{ type: 'limit', resetAt: 2000 }],
    stops: ['limit'],
  });
  expect(await played({ tells_tools: false }, folder.path)).toMatchObject({ stops: ['untold'] });
  expect(await played({ stop: 'failed' }, folder.path)).toMatchObject({ exit: 0, stops: ['failed'] });
  const killed = played({ result: 'left', signal: 'SIGKILL' }, folder.path);
  await expect(killed).rejects.toThrow('died by SIGKILL');
  expect(readFileSync(join(folder.path, 'result.json'), 'utf8')).toBe('left');
});

test('files are removed with the folders that held nothing else, before others are written in their place', async () => {
  using folder = tempFolder();
  const at = (path: string): string => join(folder.path, path);
  mkdirSync(at('a/b/c'), { recursive: true });
  for (const path of ['a/b/c/gone', 'kept', 'was-file']) writeFileSync(at(path), 'old');
  const turn: CassetteTurn = {
    delete: ['a/b/c/gone', 'never-there', 'kept/below-a-file', 'was-file'],
    files: { 'was-file/now-folder': 'x', a: 'a file now' },
    bytes: { 'raw.bin': Buffer.from([0, 255, 10]).toString('base64') },
    executable: ['raw.bin'],
  };
  expect(await played(turn, folder.path)).toEqual({ exit: 0, events: [], waited: [] });
  expect(readdirSync(folder.path).toSorted()).toEqual(['a', 'kept', 'raw.bin', 'was-file']);
  expect(readFileSync(at('a'), 'utf8')).toBe('a file now');
  expect([...readFileSync(at('raw.bin'))]).toEqual([0, 255, 10]);
  expect(statSync(at('raw.bin')).mode & 0o111).toBe(0o111);
});

test('a folder that the session was given may be written by its absolute path, and nothing beside it', async () => {
  using folder = tempFolder();
  const [workspace, given, other] = ['workspace', 'given', 'other'].map((name) => join(folder.path, name));
  if (workspace === undefined || given === undefined || other === undefined) throw new Error('no folders');
  for (const path of [workspace, given, other]) mkdirSync(path);
  symlinkSync(other, join(given, 'link'));
  const write = (path: string) => played({ files: { [path]: 'x' } }, workspace, [given]);
  expect((await write(`${given}/deep/map.json`)).exit).toBe(0);
  expect(readFileSync(join(given, 'deep/map.json'), 'utf8')).toBe('x');
  const wrong = [`${other}/x`, `${given}/../other/x`, `${given}/link/x`, '../given/x', given];
  for (const path of wrong) expect((await write(path)).exit, path).not.toBe(0);
  expect(readdirSync(other)).toEqual([]);
  // Without being given, it is outside.
  expect((await played({ files: { [`${given}/y`]: 'x' } }, workspace)).exit).not.toBe(0);
});
