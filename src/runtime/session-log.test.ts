import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AttemptRig, untilExists } from '../../test/rig/attempt-rig.ts';
import { type TempFolder, tempFolder } from '../../test/rig/temp-folder.ts';
import { endRecordedAt, readStart, startRecordedAt } from './attempt-files.ts';
import { end } from './end-attempt.ts';
import { adopt, launch } from './launcher.ts';
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

/** Without the times, which have one form. */
function lines({ dir }: ProcessSpec): readonly string[] {
  const text = readFileSync(join(dir, 'session.log'), 'utf8').trimEnd().split('\n');
  return text.map((line) => line.replace(/^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] /, ''));
}

const began = '[INFO] Status: CREATED → RUNNING';
const stay = ': >"$RIG/ready"; while :; do sleep 0.05; done';

describe.each(['shell', 'host'] as const)('the log of a session under the %s launcher', (launcher) => {
  const session = (command: string, more: Partial<ProcessSpec> = {}): ProcessSpec =>
    rig.spec(['sh', '-c', command], { launcher, session: { session_id: 's' }, ...more });

  test.each([
    ['exit 0', ['[INFO] Exit code: 0', '[INFO] Status: RUNNING → COMPLETED']],
    ['exit 3', ['[INFO] Exit code: 3', '[ERROR] Status: RUNNING → FAILED']],
    ['kill -SEGV $$', ['[INFO] Exit code: 139', '[ERROR] Status: RUNNING → FAILED']],
  ])('has each change once: %s', async (command, ending) => {
    const spec = session(command);
    await launch(spec);
    expect(lines(spec)).toEqual([began, ...ending]);
  });

  test('has the times of state.json and of the files that record start and end, to the millisecond', async () => {
    const spec = session('exit 0');
    await launch(spec);
    const state = JSON.parse(readFileSync(join(spec.dir, 'state.json'), 'utf8'));
    const at = [startRecordedAt(spec.dir), endRecordedAt(spec.dir)].map((ms) =>
      new Date(ms ?? 0).toISOString(),
    );
    expect([state.started_at, state.completed_at]).toEqual(at);
    const log = readFileSync(join(spec.dir, 'session.log'), 'utf8').trimEnd().split('\n');
    expect(log.map((line) => line.slice(1, 25))).toEqual([at[0], at[1], at[1]]);
  });

  test('names the time limit', async () => {
    const spec = session('exec sleep 300', { timeoutMs: 300 });
    await launch(spec);
    expect(lines(spec)).toEqual([
      began,
      '[WARN] Timeout: the time limit was reached',
      '[INFO] Exit code: 143',
      '[WARN] Status: RUNNING → KILLED',
    ]);
  });

  test('names who ended it and why, also before it began', async () => {
    const spec = session(stay);
    const ended = launch(spec);
    await untilExists(spec.dir, 'ready');
    await end(spec.dir, spec.marker, 'not wanted');
    await ended;
    expect(lines(spec)).toEqual([
      began,
      '[WARN] Killed: not wanted',
      '[INFO] Exit code: 143',
      '[WARN] Status: RUNNING → KILLED',
    ]);

    const never = session('exit 0');
    writeFileSync(join(never.dir, 'state.head'), '{"session_id":"s",');
    await end(never.dir, never.marker, 'changed my mind');
    await launch(never);
    expect(lines(never)).toEqual([
      '[WARN] Killed: changed my mind',
      '[INFO] Exit code: none',
      '[WARN] Status: CREATED → KILLED',
    ]);
  });

  test('has the end once, however many take the session up, and whoever dies on the way', async () => {
    const spec = session(stay.replace('while :', 'until [ -e "$RIG/go" ]'));
    const all = [launch(spec)];
    await untilExists(spec.dir, 'ready');
    all.push(adopt(spec.dir, spec.marker), adopt(spec.dir, spec.marker), adopt(spec.dir, spec.marker));
    writeFileSync(join(spec.dir, 'go'), '');
    await Promise.all(all);
    await adopt(spec.dir, spec.marker);
    expect(lines(spec)).toEqual([began, '[INFO] Exit code: 0', '[INFO] Status: RUNNING → COMPLETED']);

    const orphan = session(stay);
    const lost = launch(orphan);
    await untilExists(orphan.dir, 'ready');
    const start = readStart(orphan.dir);
    if (start.kind === 'started') process.kill(start.launcher.pid, 'SIGKILL');
    expect(await Promise.all([lost, adopt(orphan.dir, orphan.marker)])).toEqual(['lost', 'lost']);
    await adopt(orphan.dir, orphan.marker);
    expect(lines(orphan)).toEqual([
      began,
      '[ERROR] Lost: its launcher ended without a word',
      '[INFO] Exit code: none',
      '[ERROR] Status: RUNNING → FAILED',
    ]);
  });

  test('is completed by whoever finds that its launcher could not', async () => {
    const spec = session('exit 0');
    await launch(spec);
    writeFileSync(join(spec.dir, 'session.log'), `[2026-01-01T00:00:00.000Z] ${began}\n`);
    await adopt(spec.dir, spec.marker);
    await adopt(spec.dir, spec.marker);
    expect(lines(spec)).toEqual([began, '[INFO] Exit code: 0', '[INFO] Status: RUNNING → COMPLETED']);
  });

  test('goes through no link and waits for no pipe', async () => {
    const linked = session('exit 0');
    const secret = join(folder.path, 'secret');
    writeFileSync(secret, 'kept');
    symlinkSync(secret, join(linked.dir, 'session.log'));
    await launch(linked);
    expect(readFileSync(secret, 'utf8')).toBe('kept');

    const piped = session('exit 0');
    expect(spawnSync('mkfifo', [join(piped.dir, 'session.log')]).status).toBe(0);
    expect(await launch(piped)).toMatchObject({ exitCode: 0 });
    const odd = session('exit 0');
    mkdirSync(join(odd.dir, 'session.log'));
    expect(await launch(odd)).toMatchObject({ exitCode: 0 });
  });
});
