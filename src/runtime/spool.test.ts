import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TempFolder, tempFolder } from '../../test/rig/temp-folder.ts';
import { AttemptRig, until, untilExists } from '../../test/rig/attempt-rig.ts';
import { launch } from './launcher.ts';
import type { ProcessSpec } from './process-spec.ts';
import { openSpool, postMessage, readMessage, waitingMessages } from './spool.ts';

let folder: TempFolder;
let rig: AttemptRig;
beforeEach(() => {
  folder = tempFolder();
  rig = new AttemptRig(folder.path);
});
afterEach(async () => {
  try {
    await rig.close();
  } finally {
    folder[Symbol.dispose]();
  }
});

const talk = (argv: readonly [string, ...string[]], prompt = ''): ProcessSpec => {
  const stdinFile = join(folder.path, 'prompt.md');
  writeFileSync(stdinFile, prompt);
  return rig.spec(argv, { launcher: 'host', stdinFile });
};

test('an agent reads the prompt, then every message in order and once', async () => {
  const spec = talk(['cat'], 'prompt\n');
  const ended = launch(spec);
  const lines = Array.from({ length: 40 }, (_, index) => `${index} 'quoted' $HOME`);
  const acks = await Promise.all(lines.map(async (text) => postMessage(spec.dir, { kind: 'send', text })));
  expect(acks).toEqual(lines.map(() => ({ delivered: true })));
  expect(await postMessage(spec.dir, { kind: 'close' })).toEqual({ delivered: true });
  expect(await ended).toMatchObject({ exitCode: 0 });
  expect(readFileSync(spec.logFile, 'utf8')).toBe(`prompt\n${lines.join('\n')}\n`);
});

test('a message after the input was closed, or after the end, is refused with the reason', async () => {
  const spec = talk(['sh', '-c', 'cat; until [ -e "$RIG/go" ]; do sleep 0.02; done']);
  const ended = launch(spec);
  await postMessage(spec.dir, { kind: 'close' });
  expect(await postMessage(spec.dir, { kind: 'send', text: 'late' })).toMatchObject({ delivered: false });
  writeFileSync(join(spec.dir, 'go'), '');
  await ended;
  expect(await postMessage(spec.dir, { kind: 'send', text: 'later' })).toEqual({
    delivered: false,
    reason: 'the session has ended',
  });
  expect(readdirSync(join(spec.dir, 'spool')).filter((name) => name.endsWith('.json'))).toEqual([]);
});

test('cancel ends the tree even while the agent reads nothing', async () => {
  const spec = talk(['sh', '-c', 'setsid sleep 300 & : >"$RIG/ready"; sleep 300'], 'x'.repeat(1_000_000));
  const ended = launch(spec);
  await untilExists(spec.dir, 'ready');
  const unread = postMessage(spec.dir, { kind: 'send', text: 'never read' });
  expect(await postMessage(spec.dir, { kind: 'cancel', reason: 'enough' })).toEqual({ delivered: true });
  expect(await ended).toMatchObject({ ended: 'killed', reason: 'enough' });
  expect(await unread).toMatchObject({ delivered: false });
});

test('what is no message is refused and harms nothing', async () => {
  const spec = talk(['cat']);
  const ended = launch(spec);
  mkdirSync(join(spec.dir, 'spool'), { recursive: true });
  for (const [name, text] of [
    ['000-a.json', '{torn'],
    ['000-b.json', '{"kind":"format-disk"}'],
    ['000-c.json', '{"kind":"send"}'],
  ] as const) {
    writeFileSync(join(spec.dir, 'spool', name), text);
    await untilExists(spec.dir, 'spool', `${name}.failed`);
  }
  await postMessage(spec.dir, { kind: 'close' });
  expect(await ended).toMatchObject({ exitCode: 0 });
});

test('a message that nobody reads in time is taken back', async () => {
  const { dir } = rig.spec(['true']);
  expect(await postMessage(dir, { kind: 'close' }, 50)).toEqual({
    delivered: false,
    reason: 'not read in time',
  });
  expect(readdirSync(join(dir, 'spool'))).toEqual([]);
});

test('TERM to the host ends the agent and is recorded', async () => {
  const spec = talk(['sh', '-c', ': >"$RIG/ready"; sleep 300']);
  const ended = launch(spec);
  await untilExists(spec.dir, 'ready');
  const [, pid] = readFileSync(join(spec.dir, 'started'), 'utf8').split(' ');
  process.kill(Number(pid), 'SIGTERM');
  expect(await ended).toMatchObject({ ended: 'killed', signal: 'SIGTERM' });
  await until('all are gone', () => rig.left().length === 0);
});

test('a pipe or a link that an agent planted as a message is no message, and nobody waits for it', () => {
  const spool = openSpool(folder.path);
  execFileSync('mkfifo', [join(spool, 'pipe.json')]);
  writeFileSync(join(folder.path, 'secret.json'), '{"kind":"send","text":"secret"}');
  symlinkSync(join(folder.path, 'secret.json'), join(spool, 'link.json'));
  writeFileSync(join(spool, 'real.json'), '{"kind":"send","text":"hello"}');
  expect(waitingMessages(spool).map((name) => readMessage(spool, name))).toEqual([
    null,
    null,
    { kind: 'send', text: 'hello' },
  ]);
});
