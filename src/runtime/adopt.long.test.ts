import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { repository } from '../../test/rig/repository.ts';
import { type TempFolder, tempFolder } from '../../test/rig/temp-folder.ts';
import { identify } from '../lib/process/identity.ts';
import { system } from '../lib/process/system.ts';
import type { ResourceLimits } from '../model/limits.ts';
import { declareLost, readEnd, readStart } from './attempt-files.ts';
import { AttemptRig, until, untilExists } from '../../test/rig/attempt-rig.ts';
import { launcherFacts } from './launcher-facts.ts';
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

const untilGo = 'echo begun; : >"$RIG/begun"; until [ -e "$RIG/go" ]; do sleep 0.02; done; exit 5';

/** Launches from a process that is gone as soon as the attempt has begun: nobody of tutti is left alive. */
function launchAndDie(spec: ProcessSpec, begun: string): void {
  const program = `
    import { existsSync } from 'node:fs';
    import { launch } from ${JSON.stringify(repository('src/runtime/launcher.ts'))};
    void launch(${JSON.stringify(spec)});
    setInterval(() => existsSync(${JSON.stringify(join(spec.dir, begun))}) && process.kill(process.pid, 'SIGKILL'), 5);`;
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: 'pipe',
  });
  expect(signal).toBe('SIGKILL');
}

describe.each(['shell', 'host'] as const)('an attempt of the %s launcher', (launcher) => {
  test('that lives is followed to its end, and runs once', async () => {
    const spec = rig.spec(['sh', '-c', untilGo], { launcher });
    launchAndDie(spec, 'begun');
    const adopted = adopt(spec.dir, spec.marker);
    expect(await Promise.race([adopted, pause(400, 'still running')])).toBe('still running');
    writeFileSync(join(spec.dir, 'go'), '');
    expect(await adopted).toMatchObject({ exitCode: 5, ended: null });
    expect(readFileSync(spec.logFile, 'utf8')).toBe('begun\n');
  });

  test('that ended while nobody looked has its end', async () => {
    const spec = rig.spec(['sh', '-c', 'exit 6'], { launcher, session: { session_id: 's' } });
    launchAndDie(spec, 'started');
    await untilExists(spec.dir, 'exit');
    expect(await adopt(spec.dir, spec.marker)).toMatchObject({ exitCode: 6 });
    expect(JSON.parse(readFileSync(join(spec.dir, 'state.json'), 'utf8'))).toMatchObject({
      status: 'FAILED',
    });
  });

  test('is ended at its deadline with no other tutti alive, and says so by itself', async () => {
    const command = 'trap "" TERM; (setsid sleep 300 &); : >"$RIG/begun"; sleep 300; sleep 300';
    const spec = rig.spec(['sh', '-c', command], { launcher, timeoutMs: 1000, session: { session_id: 's' } });
    launchAndDie(spec, 'begun');
    const state = join(spec.dir, 'state.json');
    await until(
      'a terminal state',
      () => existsSync(state) && readFileSync(state, 'utf8').includes('KILLED'),
    );
    expect(readEnd(spec.dir)).toMatchObject({ ended: 'timeout', signal: 'SIGKILL' });
    await until('the launcher is gone', () => rig.left().length === 0);
  });

  test('is ended above its disk quota with no other tutti alive, and says so by itself', async () => {
    const command =
      'trap "" TERM; : >"$RIG/begun"; while :; do head -c 500000 /dev/zero >>big; sleep 0.05; done';
    const limits = {
      memoryBytes: null,
      processes: null,
      cpuPercent: null,
      fileBytes: null,
      diskWarnBytes: 1_000_000,
      diskFailBytes: 2_000_000,
      stallMs: 400,
    };
    const spec = rig.spec(['sh', '-c', command], { launcher, limits, session: { session_id: 's' } });
    launchAndDie(spec, 'begun');
    const state = join(spec.dir, 'state.json');
    await until('a terminal state', () => readFileSync(state, 'utf8').includes('FAILED'));
    expect(readEnd(spec.dir)).toMatchObject({ ended: 'quota', signal: 'SIGKILL' });
    await until('the launcher is gone', () => rig.left().length === 0);
  });

  test('whose launcher was killed is lost, and nothing of it goes on', async () => {
    const spec = rig.spec(['sh', '-c', untilGo], { launcher, session: { session_id: 's' } });
    const launched = launch(spec);
    await untilExists(spec.dir, 'begun');
    const start = readStart(spec.dir);
    expect(start.kind).toBe('started');
    if (start.kind === 'started') process.kill(start.launcher.pid, 'SIGKILL');
    expect(await launched).toBe('lost');
    expect(rig.left()).toEqual([]);
    expect(await adopt(spec.dir, spec.marker)).toBe('lost');
    expect(JSON.parse(readFileSync(join(spec.dir, 'state.json'), 'utf8'))).toMatchObject({
      status: 'FAILED',
      ended: 'lost',
      exit_code: null,
    });
  });

  test('that was declared lost can never start', async () => {
    const spec = rig.spec(['touch', 'ran'], { launcher });
    expect(await adopt(spec.dir, spec.marker)).toBe('lost');
    expect(await launch(spec)).toBe('lost');
    expect(existsSync(join(spec.dir, 'ran'))).toBe(false);
  });
});

const quota: ResourceLimits = {
  memoryBytes: null,
  processes: null,
  cpuPercent: null,
  fileBytes: null,
  diskWarnBytes: 100 * 1024 ** 2,
  diskFailBytes: 200 * 1024 ** 2,
  stallMs: 600_000,
};

test.for([
  ['a disk quota', { limits: quota, session: { session_id: 's' } }],
  ['a deadline', { timeoutMs: 600_000 }],
] as const)(
  'nothing of an attempt with %s outlives a killed launcher, with no other tutti alive',
  async ([, watched]) => {
    const spec = rig.spec(['sh', '-c', `trap '' TERM; ${untilGo}`], { launcher: 'shell', ...watched });
    launchAndDie(spec, 'begun');
    const start = readStart(spec.dir);
    expect(start.kind).toBe('started');
    if (start.kind === 'started') process.kill(start.launcher.pid, 'SIGKILL');
    await until('nobody is left behind', () => rig.left().length === 0);
    expect(launcherFacts(spec.dir, spec.marker, system())).toMatchObject({ at: 'vanished' });
    if (!('session' in watched)) return;
    const file = (name: string): string => readFileSync(join(spec.dir, name), 'utf8');
    expect(JSON.parse(file('state.json'))).toMatchObject({
      status: 'FAILED',
      ended: 'lost',
      exit_code: null,
    });
    expect(await adopt(spec.dir, spec.marker)).toBe('lost');
    expect(file('session.log').match(/Lost: its launcher ended without a word/g)).toHaveLength(1);
  },
);

test('of "started" and "lost" exactly one wins, in every one of 300 races', async () => {
  const seen = { ran: 0, lost: 0 };
  let delayMs = 1;
  for (let round = 0; round < 300; round += 1) {
    const spec = rig.spec(['touch', 'ran']);
    const launched = launch(spec);
    spin(delayMs);
    const lost = declareLost(spec.dir);
    expect((await launched) === 'lost').toBe(lost);
    expect(existsSync(join(spec.dir, 'ran'))).toBe(!lost);
    seen[lost ? 'lost' : 'ran'] += 1;
    // Whoever lost gets a little more time, so the two meet ever closer.
    delayMs = Math.max(0, delayMs + (lost ? 0.05 : -0.05));
  }
  // Control: both sides did win, so they were really racing.
  expect(Math.min(seen.ran, seen.lost)).toBeGreaterThan(5);
});

/** A timer would be a thousand times too coarse. */
function spin(durationMs: number): void {
  const endAt = performance.now() + durationMs;
  while (performance.now() < endAt);
}

const started = (pid: number, startTime: string, bootId = system().bootId): string =>
  `started ${pid} ${startTime} ${bootId} m .\n`;

describe('what is left of an attempt, whatever it is', () => {
  test('a reused pid and another boot are not the launcher', async () => {
    const stranger = spawn('sleep', ['300'], { stdio: 'ignore' });
    const identity = identify(stranger.pid ?? 0);
    const startTime = identity?.startTime ?? '';
    for (const text of [
      started(stranger.pid ?? 0, String(Number(startTime) - 1)),
      started(stranger.pid ?? 0, startTime, 'another-boot'),
    ]) {
      const { dir, marker } = rig.spec(['true']);
      writeFileSync(join(dir, 'started'), text);
      expect(await adopt(dir, marker)).toBe('lost');
    }
    expect(identify(stranger.pid ?? 0)).toEqual(identity);

    // Control: with the right start time it is followed.
    const { dir, marker } = rig.spec(['true']);
    writeFileSync(join(dir, 'started'), started(stranger.pid ?? 0, startTime));
    const adopted = adopt(dir, marker);
    expect(await Promise.race([adopted, pause(300, 'followed')])).toBe('followed');
    stranger.kill('SIGKILL');
    expect(await adopted).toBe('lost');
  });

  test.each([
    ['empty', ''],
    ['torn', 'started 12'],
    ['not ours', '\0\u00FF{"a":1}'],
    ['far too long', 'x'.repeat(100_000)],
  ])('%s files are read as nothing', async (_name, text) => {
    const { dir, marker } = rig.spec(['true']);
    writeFileSync(join(dir, 'started'), text);
    writeFileSync(join(dir, 'exit'), text);
    writeFileSync(join(dir, 'state.head'), '{"session_id":"s",');
    writeFileSync(join(dir, 'state.json'), text);
    expect(await adopt(dir, marker)).toBe('lost');
  });

  test('a folder in the place of a file is read as nothing', async () => {
    const { dir, marker } = rig.spec(['true']);
    mkdirSync(join(dir, 'started'));
    mkdirSync(join(dir, 'exit'));
    expect(await adopt(dir, marker)).toBe('lost');
  });

  test('a launcher that has not filled its file yet is waited for', async () => {
    const spec = rig.spec(['true']);
    writeFileSync(join(spec.dir, 'started'), '');
    const slow = spawn('sleep', ['300'], {
      stdio: 'ignore',
      env: { ...spec.env, TUTTI_ATTEMPT_ID: spec.marker },
    });
    await until('the marker is seen', () => rig.left().length === 1);
    const adopted = adopt(spec.dir, spec.marker);
    expect(await Promise.race([adopted, pause(300, 'waited for')])).toBe('waited for');
    slow.kill('SIGKILL');
    expect(await adopted).toBe('lost');
  });
});
