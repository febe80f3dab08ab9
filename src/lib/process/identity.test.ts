import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { currentProcess, identify, isAlive, isSuspended } from './identity.ts';
import { monotonicMs } from './monotonic.ts';
import type { ProcessTable } from './process-table.ts';
import { system } from './system.ts';

const empty: ProcessTable = {
  bootId: 'b',
  one: () => null,
  all: () => [],
  withVariable: () => [],
  variable: () => null,
  programs: () => [],
  groups: () => [],
};

test('this process is alive, and known by host, pid, start and boot', () => {
  const me = currentProcess();
  expect(me).toMatchObject({ host: hostname(), pid: process.pid, bootId: system().bootId });
  expect(isAlive(me)).toBe(true);
  expect(identify(process.pid)).toEqual({ pid: me.pid, startTime: me.startTime, bootId: me.bootId });
  expect(currentProcess(empty).startTime).toBe('');
});

test('the same pid with another start time or boot is another process', () => {
  const me = currentProcess();
  expect(isAlive({ ...me, startTime: `${me.startTime}1` })).toBe(false);
  expect(isAlive({ ...me, bootId: 'another' })).toBe(false);
});

test('a process that ended is not alive, nor is a zombie', async () => {
  const child = spawn('sleep', ['300'], { stdio: 'ignore' });
  const identity = identify(child.pid ?? 0);
  expect(identity !== null && isAlive(identity)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(identity !== null && isAlive(identity)).toBe(false);
  expect(identify(child.pid ?? 0)).toBeNull();

  const zombie = { pid: 7, parent: 1, leader: 7, state: 'Z', startTime: '1' };
  const table: ProcessTable = { ...empty, one: () => zombie };
  expect(isAlive({ pid: 7, startTime: '1', bootId: 'b' }, table)).toBe(false);
  expect(identify(7, table)).toBeNull();
  // Control: the same row of a living process is alive.
  const living: ProcessTable = { ...empty, one: () => ({ ...zombie, state: 'S' }) };
  expect(isAlive({ pid: 7, startTime: '1', bootId: 'b' }, living)).toBe(true);
});

test('monotonic time is shared by the processes of a machine and does not go back', async () => {
  const before = monotonicMs();
  const child = spawn(process.execPath, ['-p', 'process.hrtime.bigint()/1000000n'], { stdio: 'pipe' });
  const [bytes] = (await once(child.stdout, 'data')) as [Buffer];
  const there = Number(bytes.toString().replace('n', ''));
  expect(there).toBeGreaterThanOrEqual(before);
  expect(there).toBeLessThanOrEqual(monotonicMs());
});

test('a process is suspended between SIGSTOP and SIGCONT', async () => {
  const child = spawn('sleep', ['300'], { stdio: 'ignore' });
  const identity = identify(child.pid ?? 0);
  if (identity === null) throw new Error('the process has no identity');
  expect(isSuspended(identity)).toBe(false);
  child.kill('SIGSTOP');
  while (!isSuspended(identity)) await nextTurn();
  expect(isAlive(identity)).toBe(true);
  child.kill('SIGCONT');
  while (isSuspended(identity)) await nextTurn();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isSuspended(identity)).toBe(false);
});
