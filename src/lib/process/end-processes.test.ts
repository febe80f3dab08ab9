import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { hangLimitMs } from '../../../test/rig/hang-limit.ts';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { endProcesses } from './end-processes.ts';
import { familyFinder } from './process-family.ts';
import { identify, isAlive, type ProcessIdentity } from './identity.ts';
import { system } from './system.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A real process that has said that it is ready. */
async function start(
  folder: string,
  command: string,
  env: Record<string, string> = {},
): Promise<ProcessIdentity> {
  const ready = join(folder, `ready-${started.length}`);
  const child = spawn('sh', ['-c', command], {
    stdio: 'ignore',
    detached: true,
    env: { PATH: '/usr/bin:/bin', READY: ready, ...env },
  });
  started.push(child);
  await expect.poll(() => existsSync(ready), { timeout: hangLimitMs }).toBe(true);
  const identity = identify(child.pid ?? 0);
  if (identity === null) throw new Error('it did not start');
  return identity;
}

const times = { graceMs: 300, limitMs: hangLimitMs };
const living =
  (...members: readonly ProcessIdentity[]) =>
  (): readonly ProcessIdentity[] =>
    members.filter((member) => isAlive(member));

test('a process that listens gets to end by itself', async () => {
  using folder = tempFolder();
  const polite = await start(
    folder.path,
    'trap ": >$READY.heard; exit 0" TERM; : >$READY; while :; do sleep 0.02; done',
  );
  const plan = { graceMs: hangLimitMs, limitMs: hangLimitMs, find: living(polite), recorder: null };
  expect(await endProcesses(plan)).toEqual({ found: 1, left: [] });
  expect(existsSync(join(folder.path, 'ready-0.heard'))).toBe(true);
});

test('one that refuses TERM, and one that is stopped, end as well', async () => {
  using folder = tempFolder();
  const deaf = await start(folder.path, 'trap "" TERM; : >$READY; while :; do sleep 0.02; done');
  const stopped = await start(folder.path, ': >$READY; while :; do sleep 0.02; done');
  process.kill(stopped.pid, 'SIGSTOP');
  const report = await endProcesses({ ...times, find: living(deaf, stopped), recorder: null });
  expect(report).toEqual({ found: 2, left: [] });
});

test('what starts while the others are ended is ended too', async () => {
  using folder = tempFolder();
  const mark = `mark-${process.pid}`;
  const breeder = 'trap "" TERM; : >$READY; while :; do setsid sleep 300 & sleep 0.05; done';
  await start(folder.path, breeder, { MARK: mark });
  const find = familyFinder({ variable: 'MARK', accepts: (value) => value === mark, leader: null });
  const report = await endProcesses({ ...times, find, recorder: null });
  expect(report.left).toEqual([]);
  expect(report.found).toBeGreaterThan(3);
  expect(system().withVariable('MARK', (value) => value === mark)).toEqual([]);
});

test('one that was being started while the others were listed is found once nobody can start another', async () => {
  using folder = tempFolder();
  const hidden = await start(folder.path, ': >$READY; while :; do sleep 0.02; done');
  let isSwept = false;
  const find = (): readonly ProcessIdentity[] => (isSwept ? living(hidden)() : []);
  const sweep = (): void => {
    isSwept = true;
  };
  expect(await endProcesses({ ...times, find, recorder: null, sweep })).toEqual({ found: 1, left: [] });
  expect(isAlive(hidden)).toBe(false);
});

test('a pid that is somebody else by now is never signalled', async () => {
  using folder = tempFolder();
  const stranger = await start(folder.path, ': >$READY; exec sleep 300');
  const mistaken = { ...stranger, startTime: '1' };
  const report = await endProcesses({ graceMs: 50, limitMs: 300, find: () => [mistaken], recorder: null });
  expect(report.left).toEqual([mistaken]);
  expect(isAlive(stranger)).toBe(true);
  // Control: under its right name it does end.
  expect((await endProcesses({ ...times, find: living(stranger), recorder: null })).left).toEqual([]);
});

test('who records the end is left to do so, and ended only when it does not', async () => {
  using folder = tempFolder();
  const recorder = await start(
    folder.path,
    'trap "" TERM; sh -c \': >$READY; exec sleep 300\'; : >$READY.recorded',
  );
  const find = familyFinder({ variable: 'NONE', accepts: () => false, leader: recorder });
  expect((await endProcesses({ ...times, find, recorder })).left).toEqual([]);
  expect(existsSync(join(folder.path, 'ready-0.recorded'))).toBe(true);

  const stuck = await start(folder.path, ': >$READY; while :; do sleep 0.02; done');
  expect((await endProcesses({ ...times, find: living(stuck), recorder: stuck })).left).toEqual([]);
});

test('a process that may not be signalled is reported, not thrown about', async () => {
  using folder = tempFolder();
  const untouchable = await start(folder.path, ': >$READY; exec sleep 300');
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw new Error('EPERM');
  });
  const report = await endProcesses({ graceMs: 50, limitMs: 200, find: living(untouchable), recorder: null });
  kill.mockRestore();
  expect(report.left).toEqual([untouchable]);
});
