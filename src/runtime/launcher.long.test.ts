import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TempFolder, tempFolder } from '../../test/rig/temp-folder.ts';
import { AttemptRig, until, untilExists } from '../../test/rig/attempt-rig.ts';
import { end } from './end-attempt.ts';
import { launch } from './launcher.ts';
import type { ProcessSpec } from './process-spec.ts';

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

const clean = { exitCode: 0, signal: null, ended: null, problem: null, reason: null };
const log = (spec: ProcessSpec): Buffer => readFileSync(spec.logFile);
const state = (spec: ProcessSpec): Record<string, unknown> =>
  JSON.parse(readFileSync(join(spec.dir, 'state.json'), 'utf8')) as Record<string, unknown>;

/** Refuses TERM, leaves the session, orphans a child, clears an environment, stops another; then says so. */
const hostileTree = `
trap '' TERM
(setsid sleep 300 &)
(sleep 300 &)
env -i /bin/sleep 300 &
sleep 300 &
kill -STOP $!
: >"$RIG/ready"
sleep 300
sleep 300`;

const words: readonly string[] = [
  '',
  ' ',
  '-e',
  '--',
  '-',
  "it's",
  '"',
  '\\',
  '$(touch canary)',
  '`touch canary`',
  '; touch canary',
  'a\nb\n',
  '*',
  '~',
  '$HOME',
  '!!',
  '%s%n',
  '\u001B[31m',
  'é ☃',
  '\t',
  '&',
  '|',
  '>canary',
  '#',
  'x'.repeat(100_000),
];

describe.each(['shell', 'host'] as const)('the %s launcher', (launcher) => {
  const spec = (argv: readonly [string, ...string[]], more: Partial<ProcessSpec> = {}): ProcessSpec =>
    rig.spec(argv, { launcher, ...more });

  test.each([0, 1, 7, 126, 127, 129, 255])('exit code %i is recorded as it is', async (code) => {
    expect(await launch(spec(['sh', '-c', `exit ${code}`]))).toEqual({ ...clean, exitCode: code });
  });

  test.each(['KILL', 'TERM', 'SEGV'])('an end by SIG%s is recorded as that signal', async (signal) => {
    const ended = await launch(spec(['sh', '-c', `kill -${signal} $$`]));
    expect(ended).toEqual({ ...clean, exitCode: null, signal: `SIG${signal}` });
  });

  test('a missing program and a missing directory are told apart', async () => {
    expect(await launch(spec(['no-such-program', 'x']))).toMatchObject({
      exitCode: 127,
      problem: 'no-program',
    });
    expect(await launch(spec(['true'], { cwd: '/no/such' }))).toMatchObject({
      exitCode: 126,
      problem: 'no-directory',
    });
  });

  test('arguments arrive byte for byte, whatever a shell would make of them', async () => {
    const printed = spec(['/usr/bin/printf', '%s\\0', ...words]);
    expect(await launch(printed)).toEqual(clean);
    expect(log(printed).equals(Buffer.from(words.map((word) => `${word}\0`).join('')))).toBe(true);
    expect(existsSync(join(printed.dir, 'canary'))).toBe(false);
  });

  test('a program named like a builtin of the shell is the program', async () => {
    const echoed = spec(['echo', '-e', 'a\\tb']);
    expect(await launch(echoed)).toEqual(clean);
    expect(log(echoed).toString()).toBe('a\tb\n');
  });

  test('standard input arrives byte for byte, a megabyte of it', async () => {
    const stdinFile = join(folder.path, 'input');
    const bytes = Buffer.concat([Buffer.from('\0\n\r\u001B'), randomBytes(1_000_000)]);
    writeFileSync(stdinFile, bytes);
    const copied = spec(['head', '-c', String(bytes.length)], { stdinFile });
    expect(await launch(copied)).toEqual(clean);
    expect(log(copied).equals(bytes)).toBe(true);
  });

  test('output and errors are appended to a log that only its owner reads', async () => {
    const spoken = spec(['sh', '-c', 'echo out; echo err >&2']);
    await launch(spoken);
    expect(log(spoken).toString()).toBe('out\nerr\n');
    expect(statSync(spoken.logFile).mode & 0o777).toBe(0o600);
  });

  test('the environment is what was given, and the marker', async () => {
    const shown = spec(['env'], { env: { PATH: '/usr/bin:/bin', GIVEN: 'a b' } });
    await launch(shown);
    const own = log(shown)
      .toString()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('PWD='));
    expect(own.toSorted()).toEqual(
      [`GIVEN=a b`, 'PATH=/usr/bin:/bin', `TUTTI_ATTEMPT_ID=${shown.marker}`].toSorted(),
    );
  });

  test('one directory runs one process, however often it is asked', async () => {
    // What the losers leave behind meets the winner at another moment each time.
    for (let round = 0; round < 8; round += 1) {
      const once = spec(['sh', '-c', 'echo ran']);
      expect(await Promise.all([launch(once), launch(once), launch(once)])).toEqual([clean, clean, clean]);
      expect(await launch(once)).toEqual(clean);
      expect(log(once).toString()).toBe('ran\n');
    }
  });

  test('a session keeps its own state: RUNNING, then how it ended', async () => {
    const session = { session_id: 's1', tags: ['a'], metadata: { quote: '"%s' } };
    const go = ['sh', '-c', 'until [ -e "$RIG/go" ]; do sleep 0.02; done; exit 3'] as const;
    const running = spec([...go], { session });
    const startedAt = Date.now();
    const ended = launch(running);
    await untilExists(running.dir, 'state.json');
    expect(state(running)).toMatchObject({
      ...session,
      status: 'RUNNING',
      completed_at: null,
      exit_code: null,
    });
    writeFileSync(join(running.dir, 'go'), '');
    await ended;
    expect(state(running)).toMatchObject({ ...session, status: 'FAILED', exit_code: 3, ended: null });
    // Written by a shell, whose clock has seconds.
    expect(Date.parse(String(state(running)['completed_at']))).toBeGreaterThan(startedAt - 1000);

    const good = spec(['true'], { session, timeoutMs: 60_000 });
    await launch(good);
    expect(state(good)).toMatchObject({ ...session, status: 'COMPLETED', exit_code: 0 });
  });

  test('at the deadline the whole tree is ended, whatever it does', async () => {
    const late = spec(['sh', '-c', hostileTree], { timeoutMs: 2500, session: { session_id: 's' } });
    const ended = await launch(late);
    expect(existsSync(join(late.dir, 'ready'))).toBe(true);
    expect(ended).toMatchObject({ signal: 'SIGKILL', ended: 'timeout' });
    expect(state(late)).toMatchObject({ status: 'KILLED', ended: 'timeout', exit_code: 137 });
    expect(rig.left()).toEqual([]);
  });

  test('a person ends the whole tree, and the reason is kept', async () => {
    const doomed = spec(['sh', '-c', hostileTree], { session: { session_id: 's' } });
    const ended = launch(doomed);
    await untilExists(doomed.dir, 'ready');
    expect((await end(doomed.dir, doomed.marker, 'not\nwanted')).left).toEqual([]);
    expect(await ended).toMatchObject({ signal: 'SIGKILL', ended: 'killed', reason: 'not wanted' });
    expect(state(doomed)).toMatchObject({ status: 'KILLED', ended: 'killed' });
  });

  test('an agent that is killed in the middle takes its tools with it', async () => {
    const killed = spec(['sh', '-c', 'setsid sleep 300 & kill -9 $$'], { session: { session_id: 's' } });
    expect(await launch(killed)).toMatchObject({ signal: 'SIGKILL', ended: null });
    expect(rig.left()).toEqual([]);
  });

  test('what is ended before it starts never starts', async () => {
    const never = spec(['touch', 'ran'], { session: { session_id: 's' } });
    await end(never.dir, never.marker, 'changed my mind');
    expect(await launch(never)).toMatchObject({ ended: 'killed', reason: 'changed my mind', exitCode: null });
    expect(existsSync(join(never.dir, 'ran'))).toBe(false);
  });

  test('ending what has ended changes nothing', async () => {
    const over = spec(['true']);
    await launch(over);
    await end(over.dir, over.marker, 'too late');
    expect(await launch(over)).toEqual(clean);
  });

  test('an argument beyond what the system takes is a recorded failure', async () => {
    const tooLong = await launch(spec(['echo', 'x'.repeat(200_000)]));
    expect(tooLong).toMatchObject({
      exitCode: 126,
      problem: 'not-started',
      reason: expect.stringContaining('E2BIG'),
    });
  });
});

describe('the shell launcher by itself', () => {
  test('no timer outlives a program that ends in time', async () => {
    const specs = Array.from({ length: 60 }, () => rig.spec(['true'], { timeoutMs: 300_000 }));
    const ends = await Promise.all(specs.map(async (spec) => launch(spec)));
    expect(ends).toEqual(specs.map(() => clean));
    // A killed timer is gone as soon as the system gets to it; one that was missed stays for five minutes.
    await until('the last timer is gone', () => rig.left().length === 0, 60_000);
  });

  test('control: the check for what was left does see a process', async () => {
    const leaver = rig.spec(['sh', '-c', 'setsid sleep 300 & echo $!']);
    await launch(leaver);
    const pid = Number(log(leaver).toString());
    expect(rig.left()).toEqual([pid]);
    process.kill(pid, 'SIGKILL');
  });

  test('an input that cannot be opened is a recorded failure', async () => {
    const blind = rig.spec(['cat'], { stdinFile: '/no/such/input', session: { session_id: 's' } });
    expect(await launch(blind)).toMatchObject({ exitCode: 126, problem: 'not-started' });
    expect(state(blind)).toMatchObject({ status: 'FAILED', exit_code: 126 });
  });

  test('killing every sleep does not call off the deadline', async () => {
    const killer = `sleep 300 & : >"$RIG/ready"; for p in /proc/[0-9]*; do
      grep -qszxF "TUTTI_ATTEMPT_ID=$TUTTI_ATTEMPT_ID" $p/environ && read -r c <$p/comm && [ "$c" = sleep ] && kill \${p#/proc/}
    done; sleep 300`;
    expect(await launch(rig.spec(['sh', '-c', killer], { timeoutMs: 2000 }))).toMatchObject({
      ended: 'timeout',
    });
  });

  test('where there is no /proc the deadline holds as well', async () => {
    const late = rig.spec(['sh', '-c', '(setsid sleep 300 &); sleep 300'], { timeoutMs: 500 });
    expect(await launch(late, { procRoot: '/no/such' })).toMatchObject({
      ended: 'timeout',
      signal: 'SIGTERM',
    });
  });
});
