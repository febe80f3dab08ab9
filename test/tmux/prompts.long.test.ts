import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { typedText } from '../../src/model/typed-text.ts';
import { HookFeed } from '../../src/runtime/tmux/terminal.ts';
import { Typist } from '../../src/runtime/tmux/typist.ts';
import { until, untilExists } from '../rig/attempt-rig.ts';
import { hostilePrompts, untypablePrompts } from './hostile-prompts.ts';
import { needProgram } from '../rig/need-program.ts';
import { sendInteractive, TmuxRig } from './rig.ts';

beforeEach((context) => {
  needProgram(context, 'tmux');
});

const quick = { readyMs: 15_000, submittedMs: 15_000, settleMs: 10 };

test('60 hostile prompts are pasted byte for byte, each submitted once, and none of them runs anything', async () => {
  await using rig = new TmuxRig();
  const spec = rig.spec(null);
  const ended = rig.launch(spec);
  await until('it is at rest', () => rig.state(spec)['activity_detail'] === 'the next message');
  const typist = new Typist(rig.tmux, rig.tmux.nameOf('s-1'), quick);
  typist.heard({ event: 'ready' });
  using feed = new HookFeed(spec.dir, (hook) => {
    typist.heard(hook);
  });
  const canary = join(rig.path, 'canary');
  const prompts = hostilePrompts(canary);
  expect(new Set(prompts).size).toBe(60);
  const wrong: string[] = [];
  for (const [at, prompt] of prompts.entries()) {
    expect(await typist.rest()).toBe(true);
    const ack = await typist.type(prompt);
    const received = readFileSync(join(spec.dir, `prompt-${at + 1}`), 'utf8');
    if (!ack.delivered || received !== typedText(prompt)) wrong.push(prompt.slice(0, 60));
  }
  expect(wrong).toEqual([]);
  expect(existsSync(canary)).toBe(false);
  expect(existsSync(join(spec.dir, 'prompt-61'))).toBe(false);
  expect(readFileSync(join(spec.dir, 'typed'), 'utf8')).toBe('\r'.repeat(60));
  feed[Symbol.dispose]();
  expect(await sendInteractive(spec.dir, 'leave 0')).toEqual({ delivered: true });
  expect(await ended).toMatchObject({ exitCode: 0 });
}, 120_000);

test('what cannot be typed faithfully is refused, and not a key of it is pressed', async () => {
  await using rig = new TmuxRig();
  const spec = rig.spec(null);
  const ended = rig.launch(spec);
  await until('it is at rest', () => rig.state(spec)['activity_detail'] === 'the next message');
  for (const prompt of [...untypablePrompts, '', ' \n']) {
    expect(await sendInteractive(spec.dir, prompt)).toMatchObject({ delivered: false });
  }
  // The interface's own commands: `!` runs a shell in some.
  for (const command of ['!touch x', '/exit', '  ?']) {
    const ack = await sendInteractive(spec.dir, command);
    expect(ack).toMatchObject({ reason: expect.stringContaining('like a command of the interface') });
  }
  expect(existsSync(join(spec.dir, 'typed'))).toBe(false);
  // Control: pasted as it is, the first of them ends the paste and presses Enter by itself.
  await rig.tmux.paste(rig.tmux.nameOf('s-1'), untypablePrompts[0] ?? '');
  await untilExists(spec.dir, 'prompt-1');
  await until('more was typed', () => readFileSync(join(spec.dir, 'typed'), 'utf8').includes('touch x'));
  await rig.tmux.kill(rig.tmux.nameOf('s-1'));
  expect(await ended).toMatchObject({ ended: 'killed' });
});

test('a prompt that cannot be typed starts nothing, and the refusal says why', async () => {
  await using rig = new TmuxRig();
  const spec = rig.spec(untypablePrompts[0] ?? '');
  expect(await rig.launch(spec)).toMatchObject({
    problem: 'not-started',
    reason: expect.stringContaining('U+001B'),
  });
  expect(await rig.tmux.list()).toEqual([]);
});

test('control: the same prompts in a command line for tmux do run, and do not arrive', async () => {
  await using rig = new TmuxRig();
  const canary = join(rig.path, 'canary');
  const got = join(rig.path, 'got');
  rig.raw('new-session', '-d', '-s', 'naive', `printf %s '${hostilePrompts(canary)[0]}' >${got}; cat`);
  await untilExists(canary);
  const [node, program] = [process.execPath, `require('fs').writeFileSync('${got}-2', process.argv[1])`];
  rig.raw('new-session', '-d', '-s', 'words', node, '-e', program, 'ends with ;');
  await untilExists(`${got}-2`);
  await until('written', () => readFileSync(`${got}-2`, 'utf8') !== '');
  expect(readFileSync(`${got}-2`, 'utf8')).toBe('ends with ');
});
