import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { familyFinder } from '../../src/lib/process/process-family.ts';
import type { TurnOutcome } from '../../src/model/turn.ts';
import { readStart } from '../../src/runtime/attempt-files.ts';
import { end } from '../../src/runtime/end-attempt.ts';
import { achievableLimits } from '../../src/runtime/limits/plan.ts';
import { AttemptRig, untilExists } from '../rig/attempt-rig.ts';
import { type TempFolder, tempFolder } from '../rig/temp-folder.ts';
import { type Child, children, usualLimits, vanishing } from './children.ts';
import { type Bystander, MisbehavingSession, startBystander, survivorsOf } from './session.ts';

const { achieved } = achievableLimits({ ...usualLimits, processes: 100 });
const grouped = achieved.tree === 'cgroup';

let folder: TempFolder;
let rig: AttemptRig;
let bystander: Bystander | null = null;
beforeEach(() => {
  folder = tempFolder();
  rig = new AttemptRig(folder.path);
});
afterEach(async () => {
  bystander?.end();
  bystander = null;
  try {
    await rig.close();
  } finally {
    folder[Symbol.dispose]();
  }
});

interface Endured {
  readonly session: MisbehavingSession;
  readonly turn: TurnOutcome;
  /** What reading the turn added to this process. */
  readonly grownBytes: number;
}

/** Runs one child to its end, and returns what may be special about it. */
async function endure(child: Child, launcher: 'shell' | 'host'): Promise<Endured> {
  const session = new MisbehavingSession(rig, child, launcher);
  bystander = await startBystander(session.spec.marker);
  await session.ready();
  if (child.endedBy === 'kill') {
    // Control: there is somebody to be found, so finding nobody afterwards means something.
    expect(session.survivors()).not.toEqual([]);
    const report = await end(session.spec.dir, session.spec.marker, 'enough');
    expect(report.left).toEqual([]);
  }
  const ended = await session.ended();
  expect(session.survivors()).toEqual([]);
  expect(bystander.isUnharmed()).toBe(true);
  const { status, ended: why, outcome } = child.expected;
  expect(ended.ended).toBe(why);
  expect(session.state()).toMatchObject({ status, ended: why, activity: 'finished' });
  const before = process.memoryUsage().rss;
  const turn = session.turn(ended);
  const grownBytes = process.memoryUsage().rss - before;
  expect(turn.outcome).toBe(outcome);
  expect(session.read('session.log').match(/Status: RUNNING → /g)).toHaveLength(1);
  for (const dir of session.read('cgroup').split('\n')) expect(dir !== '' && existsSync(dir)).toBe(false);
  return { session, turn, grownBytes };
}

describe.each(['shell', 'host'] as const)('under the %s launcher, a child that', (launcher) => {
  test.each(children.filter(({ name }) => !/^(floods|forks|fills|writes)/.test(name)))(
    '$name: $expected.status, $expected.outcome',
    async (child) => {
      const { turn } = await endure(child, launcher);
      expect(turn.outcome).toBe(child.expected.outcome);
    },
  );

  test('writes half a JSON line: COMPLETED, SUCCESS, and the half line is its text', async () => {
    const { turn } = await endure(one('writes half a JSON line'), launcher);
    expect(turn.text).toContain('{"type":"result","text":"a');
  });

  test('floods 200 MB: warned once, COMPLETED, SUCCESS, and reading it takes little memory', async () => {
    const { session, turn, grownBytes } = await endure(one('floods 200 MB'), launcher);
    expect(session.read('session.log').match(/\[WARN\] Disk: /g)).toHaveLength(1);
    expect(turn.text.length).toBeLessThan(1_000_000);
    expect(grownBytes).toBeLessThan(100 * 1024 ** 2);
  });

  test('fills its disk quota: warned or ended within seconds, FAILED, BUDGET_EXCEEDED', async () => {
    const { session } = await endure(one('fills its disk quota'), launcher);
    expect(session.read('session.log')).toContain('[ERROR] Quota: the folder of the session holds more than');
  });

  test(`forks 500 times: KILLED; ${grouped ? 'it is held to its limit' : 'no group here can hold it'}`, async () => {
    const { session } = await endure(one('forks 500 times'), launcher);
    expect(session.state()).toMatchObject({ limits: { processes: achieved.processes } });
    if (achieved.processes === 'cgroup') expect(Number(session.read('ready'))).toBeGreaterThan(400);
    else expect(session.read('session.log')).toContain('Limits: processes is not enforced');
  });

  test(`${vanishing.name}: KILLED where a group holds it (here: ${achieved.tree})`, async () => {
    if (grouped) await endure(vanishing, launcher);
    else expect(achieved.tree).toBe('none');
  });
});

describe('controls: who looks less closely leaves survivors', () => {
  test('by process group alone, the one that left its session goes on', async () => {
    const { path } = folder;
    const naive = spawn('sh', ['-c', one('lets a child escape with setsid').program], {
      stdio: 'ignore',
      detached: true,
      env: { PATH: '/usr/bin:/bin', RIG: path, WITNESS: path },
    });
    await untilExists(path, 'ready');
    process.kill(-(naive.pid ?? 0), 'SIGKILL');
    await once(naive, 'exit');
    const left = survivorsOf(path);
    for (const pid of left) process.kill(pid, 'SIGKILL');
    expect(left).toContain(Number(readFileSync(join(path, 'pids'), 'utf8')));
  });

  test('by mark, session and parents alone, the one that vanished is not seen', async () => {
    const session = new MisbehavingSession(rig, vanishing, 'shell');
    await session.ready();
    const start = readStart(session.spec.dir);
    const find = familyFinder({
      variable: 'TUTTI_ATTEMPT_ID',
      accepts: (value) => value === session.spec.marker,
      leader: start.kind === 'started' ? start.launcher : null,
    });
    const vanished = Number(session.read('pids'));
    expect(session.survivors()).toContain(vanished);
    expect(find().map(({ pid }) => pid)).not.toContain(vanished);
    await end(session.spec.dir, session.spec.marker, 'enough');
    await session.ended();
    if (!grouped) process.kill(vanished, 'SIGKILL');
    expect(session.survivors()).toEqual([]);
  });
});

function one(name: string): Child {
  const found = children.find((child) => child.name === name);
  if (found === undefined) throw new Error(`there is no child that ${name}`);
  return found;
}
