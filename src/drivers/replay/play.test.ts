import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import type { DriverEvent } from '../../model/driver.ts';
import type { CassetteTurn } from '../../model/schemas/cassette.ts';
import { play } from './play.ts';

async function played(turn: CassetteTurn, workspace: string) {
  const events: DriverEvent[] = [];
  const waited: number[] = [];
  const exit = await play(turn, {
    workspace,
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
  });
  return { exit, events, waited };
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
