import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readStart } from '../../src/runtime/attempt-files.ts';
import { end } from '../../src/runtime/end-attempt.ts';
import { adopt } from '../../src/runtime/launcher.ts';
import { postMessage } from '../../src/runtime/spool.ts';
import { launchInteractive } from '../../src/runtime/tmux/launch-interactive.ts';
import { until, untilExists } from '../rig/attempt-rig.ts';
import { repository } from '../rig/repository.ts';
import { needProgram } from '../rig/need-program.ts';
import { sendInteractive, TmuxRig } from './rig.ts';

beforeEach((context) => {
  needProgram(context, 'tmux');
});

const resting = (rig: TmuxRig, spec: Parameters<TmuxRig['state']>[0]): Promise<void> =>
  until('it is at rest', () => rig.state(spec)['activity_detail'] === 'the next message');

test('an interface is given its prompt once it is ready, is talked to, and its exit code is the session’s', async () => {
  await using rig = new TmuxRig();
  const spec = rig.spec('first `id`\nsecond $(id)');
  let began = 0;
  const ended = launchInteractive(spec, rig.tmux, {
    began: () => {
      began += 1;
    },
  });
  await untilExists(spec.dir, 'prompt-1');
  await resting(rig, spec);
  expect(readFileSync(join(spec.dir, 'prompt-1'), 'utf8')).toBe('first `id`\nsecond $(id)');
  expect(rig.state(spec)).toMatchObject({ status: 'RUNNING', activity: 'waiting' });
  expect(await rig.tmux.list()).toEqual(['iw-s-1']);
  expect(await sendInteractive(spec.dir, 'leave 7')).toEqual({ delivered: true });
  expect(await ended).toMatchObject({ exitCode: 7, ended: null });
  expect(began).toBe(1);
  expect(rig.state(spec)).toMatchObject({ status: 'FAILED', exit_code: 7, activity: 'finished' });
  expect(readFileSync(join(spec.dir, 'typed'), 'utf8')).toBe('\r\r');
  expect(rig.log(spec)).toContain('[INFO] The prompt was typed and taken\n');
  const told = readFileSync(spec.logFile, 'utf8').trim().split('\n');
  expect(told.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual([
    'ready',
    'submitted',
    'turn-done',
    'submitted',
    'ended',
  ]);
  await until('the pane is closed', () => rig.raw('list-sessions', '-F', '#S') === '');
});

test('a person’s kill-session ends the session as killed, with everybody it started', async () => {
  await using rig = new TmuxRig();
  const script = `(setsid sh -c 'trap "" HUP TERM; while :; do sleep 300; done' &) ; trap "" HUP; : >"$RIG/up"; while :; do sleep 300; done`;
  const spec = rig.spec(null, { argv: ['sh', '-c', script] });
  const ended = rig.launch(spec);
  await untilExists(spec.dir, 'up');
  // Control: there is somebody who would outlive the terminal.
  await until('everybody has started', () => rig.left().length > 3);
  rig.raw('kill-session', '-t', '=iw-s-1');
  expect(await ended).toMatchObject({ ended: 'killed', reason: 'its tmux session was ended' });
  expect(rig.state(spec)).toMatchObject({ status: 'KILLED', ended: 'killed' });
  expect(rig.log(spec)).toContain('[WARN] Killed: its tmux session was ended\n');
  await until('everybody is gone', () => rig.left().length === 0);
});

test('with the whole server killed it is told the same way', async () => {
  await using rig = new TmuxRig();
  const spec = rig.spec(null);
  const ended = rig.launch(spec);
  await resting(rig, spec);
  rig.raw('kill-server');
  expect(await ended).toMatchObject({ ended: 'killed', reason: 'its tmux session was ended' });
  expect(rig.state(spec)).toMatchObject({ status: 'KILLED' });
});

test('nothing is typed into an interface that does not say that it is ready', async () => {
  await using rig = new TmuxRig();
  const spec = rig.spec('the task', {}, 'shy');
  const ended = rig.launch(spec, { readyMs: 300 });
  await until('it is told', () => String(rig.state(spec)['activity_detail']).includes('dialog'));
  expect(rig.state(spec)).toMatchObject({ status: 'RUNNING', activity: 'waiting' });
  expect(rig.log(spec)).toContain('[WARN] The interface does not say that it is ready, so nothing was typed');
  expect(existsSync(join(spec.dir, 'typed'))).toBe(false);
  // A person answered the dialog: now it says so, and is given its prompt.
  spawnSync(process.execPath, [repository('src/runtime/tmux/hook-program.ts'), 'ready'], {
    env: { TUTTI_SESSION_DIR: spec.dir },
    input: '',
  });
  await untilExists(spec.dir, 'prompt-1');
  await rig.tmux.kill('iw-s-1');
  expect(await ended).toMatchObject({ ended: 'killed' });
});

test('Enter is pressed once, also when nobody says that the prompt was taken', async () => {
  await using rig = new TmuxRig();
  const spec = rig.spec('the task', {}, 'deaf');
  const ended = rig.launch(spec, { submittedMs: 300 });
  await until('it is told', () => rig.log(spec).includes('does not say that it took it'));
  expect(readFileSync(join(spec.dir, 'typed'), 'utf8')).toBe('\r');
  expect(await sendInteractive(spec.dir, 'once more')).toMatchObject({
    delivered: false,
    reason: 'it was typed, and the interface does not say that it took it',
  });
  expect(readFileSync(join(spec.dir, 'typed'), 'utf8')).toBe('\r\r');
  await rig.tmux.kill('iw-s-1');
  await ended;
});

test('while it asks something, nothing is typed: a key would answer', async () => {
  await using rig = new TmuxRig();
  const spec = rig.spec('the task', {}, 'asking');
  const ended = rig.launch(spec);
  await until('it asks', () => rig.state(spec)['activity_detail'] === 'permission to use Bash');
  expect(await sendInteractive(spec.dir, 'yes')).toMatchObject({
    reason: 'a dialog is open in its terminal (permission to use Bash)',
  });
  expect(readFileSync(join(spec.dir, 'typed'), 'utf8')).toBe('\r');
  expect(await postMessage(spec.dir, { kind: 'close' })).toMatchObject({ delivered: false });
  expect(await postMessage(spec.dir, { kind: 'cancel', reason: 'enough' })).toEqual({ delivered: true });
  expect(await ended).toMatchObject({ ended: 'killed', reason: 'enough' });
});

test('a message waits for the end of the turn, and can be withdrawn until then', async () => {
  await using rig = new TmuxRig();
  const spec = rig.spec('the task', {}, 'busy');
  const ended = rig.launch(spec);
  await until('it works', () => rig.state(spec)['activity'] === 'working');
  expect(await sendInteractive(spec.dir, 'hello', 400)).toEqual({
    delivered: false,
    reason: 'not read in time',
  });
  expect(existsSync(join(spec.dir, 'prompt-2'))).toBe(false);
  expect((await end(spec.dir, spec.marker, 'the test is over')).left).toEqual([]);
  expect(await ended).toMatchObject({ ended: 'killed', reason: 'the test is over' });
  expect(rig.left()).toEqual([]);
});

test('an interactive session whose terminal relay was killed is lost, and none of its processes survives', async () => {
  await using rig = new TmuxRig();
  const script = '(setsid sleep 300 &); trap "" HUP; : >"$RIG/up"; while :; do sleep 300; done';
  const spec = rig.spec(null, { argv: ['sh', '-c', script] });
  const ended = rig.launch(spec);
  await untilExists(spec.dir, 'up');
  const start = readStart(spec.dir);
  if (start.kind === 'started') process.kill(start.launcher.pid, 'SIGKILL');
  expect(await ended).toBe('lost');
  expect(rig.left()).toEqual([]);
  expect(rig.state(spec)).toMatchObject({ status: 'FAILED', ended: 'lost' });
});

test('its deadline is kept by its own launcher', async () => {
  await using rig = new TmuxRig();
  const spec = rig.spec(null, { timeoutMs: 1000 });
  expect(await rig.launch(spec)).toMatchObject({ ended: 'timeout' });
  expect(rig.state(spec)).toMatchObject({ status: 'KILLED', ended: 'timeout' });
});

test('it is held to the limits of a session', async () => {
  await using rig = new TmuxRig();
  const limits = {
    memoryBytes: null,
    processes: null,
    cpuPercent: null,
    fileBytes: null,
    diskWarnBytes: 8192,
    diskFailBytes: 65_536,
    stallMs: 400,
  };
  const script = 'sleep 1; head -c 100000 /dev/zero >big; while :; do sleep 300; done';
  const spec = rig.spec(null, { argv: ['sh', '-c', script], limits });
  expect(await rig.launch(spec)).toMatchObject({ ended: 'quota' });
  expect(rig.state(spec)).toMatchObject({ status: 'FAILED', ended: 'quota', limits: { disk: 'launcher' } });
  // Nothing was heard of it for longer than that, and it is no stall: people let an interface rest.
  expect(rig.log(spec)).not.toContain('Stalled');
});

test('it outlives whoever launched it, and is adopted', async () => {
  await using rig = new TmuxRig();
  const spec = rig.spec('the task');
  const program = `
    import { launchInteractive } from ${JSON.stringify(repository('src/runtime/tmux/launch-interactive.ts'))};
    import { Tmux } from ${JSON.stringify(repository('src/runtime/tmux/client.ts'))};
    await launchInteractive(${JSON.stringify(spec)}, new Tmux(${JSON.stringify(rig.tmux.config)}, ${JSON.stringify(rig.tmux.env)}));`;
  const launcher = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'ignore' });
  await untilExists(spec.dir, 'prompt-1');
  launcher.kill('SIGKILL');
  const adopted = adopt(spec.dir, spec.marker);
  await resting(rig, spec);
  expect(await sendInteractive(spec.dir, 'leave 0')).toEqual({ delivered: true });
  expect(await adopted).toMatchObject({ exitCode: 0, ended: null });
  expect(rig.state(spec)).toMatchObject({ status: 'COMPLETED' });
});

test.each(['with blanks', `it's "quoted" \\`, 'ends with ;', '#{pane_pid} #(id)', 'new\nline', '$HOME `id`'])(
  'an interface whose session lives below a folder called %j works as anywhere',
  async (name) => {
    await using rig = new TmuxRig({ name });
    const spec = rig.spec('the task');
    const ended = rig.launch(spec);
    await untilExists(spec.dir, 'prompt-1');
    await resting(rig, spec);
    expect(await sendInteractive(spec.dir, 'leave 0')).toEqual({ delivered: true });
    expect(await ended).toMatchObject({ exitCode: 0, ended: null });
  },
);

test('a secret of its environment is in no argument, in no environment of tmux, and in no file', async () => {
  await using rig = new TmuxRig();
  const secret = `sk-${'canary'.repeat(5)}`;
  const offers = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('tutti-'));
  const before = new Set(offers());
  const first = rig.spec('the task');
  const spec = { ...first, env: { ...first.env, MY_KEY: secret } };
  const ended = rig.launch(spec);
  await untilExists(spec.dir, 'prompt-1');
  await resting(rig, spec);
  const seen = JSON.parse(readFileSync(join(spec.dir, 'environment'), 'utf8')) as Record<string, string>;
  // It has it, and nothing of the pane's own that would lead it to our server.
  expect(seen).toMatchObject({ MY_KEY: secret, TERM: 'screen-256color', TUTTI_ATTEMPT_ID: spec.marker });
  expect(Object.keys(seen)).not.toContain('TMUX');
  writeFileSync(join(spec.dir, 'environment'), '');
  const shown = ['-g', '-t=iw-s-1', '-t=iw-keeper'].map((of) => rig.raw('show-environment', of)).join('\n');
  expect(shown).toContain('TUTTI_ATTEMPT_ID');
  const listed = spawnSync('ps', ['-eww', '-o', 'args'], { encoding: 'utf8', maxBuffer: 1e8 }).stdout;
  expect(listed).toContain('terminal-relay');
  const files = spawnSync('grep', ['-rl', secret, spec.dir], { encoding: 'utf8' }).stdout;
  expect([shown.includes(secret), listed.includes(secret), files]).toEqual([false, false, '']);
  expect(offers().filter((name) => !before.has(name) && existsSync(join(tmpdir(), name, 's')))).toEqual([]);
  await rig.tmux.kill('iw-s-1');
  await ended;
});

test('what cannot start is told: no program, no folder, a pane of that name', async () => {
  await using rig = new TmuxRig();
  expect(await rig.launch(rig.spec(null, { argv: ['no-such-program'] }))).toMatchObject({
    exitCode: 127,
    problem: 'no-program',
  });
  const nowhere = rig.spec(null, { cwd: join(rig.path, 'nowhere') });
  expect(await rig.launch(nowhere)).toMatchObject({ problem: 'no-directory' });
  const spec = rig.spec(null);
  // The server of the sessions before may be about to exit.
  await until('another pane has that name', () => {
    rig.raw('new-session', '-d', '-s', 'iw-s-3', '/bin/cat');
    return rig.raw('list-sessions', '-F', '#S').includes('iw-s-3');
  });
  expect(await rig.launch(spec)).toMatchObject({
    problem: 'not-started',
    reason: 'tmux new-session failed: duplicate session: iw-s-3',
  });
  expect(readStart(spec.dir)).toEqual({ kind: 'lost' });
});
