import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { isAlive } from './identity.ts';
import { descendantsOf, isDead, type ProcessRow, withAlive } from './process-table.ts';
import { parseStat, procTable } from './proc-table.ts';
import { parseRow, psTable } from './ps-table.ts';
import { system, tableOf } from './system.ts';

const row = (pid: number, parent: number, state = 'S'): ProcessRow => ({
  pid,
  parent,
  leader: pid,
  state,
  startTime: '1',
});

test('everything below a process is found, through any number of generations', () => {
  const rows = [row(2, 1), row(3, 2), row(4, 3), row(5, 1), row(6, 5)];
  expect(descendantsOf([2], rows)).toEqual(new Set([3, 4]));
  expect(descendantsOf([9], rows)).toEqual(new Set());
  // A table is not one instant: a reused pid can make a circle in it.
  expect(descendantsOf([7], [row(7, 8), row(8, 7)])).toEqual(new Set([7, 8]));
});

test('a process that was seen alive counts as living after its end, and after its number went to another', () => {
  const one = (found: ProcessRow | null) => ({ ...system(), bootId: 'boot', one: () => found });
  const seen = { pid: 7, startTime: '1', bootId: 'boot' };
  for (const found of [null, row(7, 1, 'Z'), { ...row(7, 1), startTime: '2' }]) {
    expect(isAlive(seen, one(found))).toBe(false);
    expect(isAlive(seen, withAlive(one(found), [seen]))).toBe(true);
    expect(isAlive({ ...seen, pid: 8 }, withAlive(one(null), [seen]))).toBe(false);
    expect(isAlive({ ...seen, bootId: 'earlier' }, withAlive(one(found), [seen]))).toBe(false);
  }
  const living = row(7, 1);
  expect(withAlive(one(living), [seen]).one(7)).toBe(living);
  expect(withAlive(system(), [seen]).one('self')).toEqual(system().one('self'));
});

test('a program may be named to mislead', () => {
  const rest = Array.from({ length: 40 }, (_, index) => String(index + 4)).join(' ');
  expect(parseStat(`12 (a) R 1\n) (b)) S ${rest}`)).toEqual({
    pid: 12,
    parent: 4,
    leader: 6,
    state: 'S',
    startTime: '22',
  });
  for (const bad of ['', 'x', '12 (a', '12 (a) S 1 2']) expect(parseStat(bad)).toBeNull();
  expect(parseRow('')).toBeNull();
});

test.skipIf(!existsSync('/proc/self/mem'))(
  'a process that the machine cannot show is not taken for dead',
  () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, '12'));
    // Reading its beginning is an input/output error, on every Linux.
    symlinkSync('/proc/self/mem', join(folder.path, '12', 'stat'));
    expect(() => procTable(folder.path).one(12)).toThrow('EIO');
  },
);

test('what cannot be read in /proc is not there', () => {
  using folder = tempFolder();
  mkdirSync(join(folder.path, '12'));
  mkdirSync(join(folder.path, '13'));
  writeFileSync(join(folder.path, '13', 'environ'), 'XA=1\0A=2\0B=A=1\0');
  const table = procTable(folder.path);
  expect(table.bootId).toBe('unknown');
  expect(table.all()).toEqual([]);
  expect(table.withVariable('A', (value) => value === '2')).toEqual([13]);
  expect(table.withVariable('A', (value) => value === '1')).toEqual([]);
});

test.skipIf(!existsSync('/proc/self/environ'))(
  'a process is found while it replaces its program, again and again',
  async () => {
    using folder = tempFolder();
    const script = join(folder.path, 'again');
    writeFileSync(script, '#!/bin/sh\nexec "$0"\n', { mode: 0o755 });
    const mark = `exec-${process.pid}-${Math.random()}`;
    const child = spawn(script, { env: { TUTTI_MARK: mark }, stdio: 'ignore' });
    await once(child, 'spawn');
    try {
      const table = procTable();
      const looks = Array.from({ length: 200 }, () => table.variable(child.pid ?? 0, 'TUTTI_MARK'));
      expect(looks.filter((value) => value !== mark)).toEqual([]);
    } finally {
      child.kill('SIGKILL');
    }
  },
);

test('the system without /proc is asked through ps', () => {
  // Not its state, which changes from one moment to the next.
  const us = { pid: process.pid, parent: process.ppid };
  expect(tableOf('/no/such', 'darwin').one(process.pid)).toMatchObject(us);
  expect(tableOf('/no/such', 'linux').one(process.pid)).toMatchObject(us);
  expect(system()).toBe(system());
});

const tables = [
  ...(existsSync('/proc/self/stat') ? [['/proc', procTable()] as const] : []),
  ['ps', psTable(process.platform === 'darwin' ? '-AEww' : 'axeww')] as const,
];

test.each(tables)(
  '%s tells parent, leader, state, start and environment of a process',
  async (_name, table) => {
    const mark = `mark-${process.pid}-${Math.random()}`;
    const child = spawn('sleep', ['300'], {
      stdio: 'ignore',
      detached: true,
      env: { MARK: mark, OTHER: 'x' },
    });
    const { pid = 0 } = child;
    try {
      const found = table.one(pid);
      expect(found).toMatchObject({ pid, parent: process.pid });
      expect(table.all()).toContainEqual({ ...found, state: expect.any(String) as string });
      expect(table.one(process.pid)?.startTime).toBeTruthy();
      // The new program's environment is there once the old image is gone.
      await expect.poll(() => table.withVariable('MARK', (value) => value === mark)).toEqual([pid]);
      expect(table.one(pid)?.leader).toBe(pid);
      expect(table.programs(pid)).toContain('sleep');
      expect(table.one('self')).toMatchObject({ pid: process.pid, parent: process.ppid });
      expect(table.withVariable('MARK', (value) => value === mark.slice(0, -1))).toEqual([]);
      process.kill(pid, 'SIGSTOP');
      await expect.poll(() => table.one(pid)?.state).toBe('T');
    } finally {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    }
    expect(table.one(pid)).toBeNull();
  },
);

test.each(tables)('%s shows a zombie as dead', (_name, table) => {
  // The shell becomes a program that never collects the child it inherited.
  const child = spawn('sh', ['-c', 'sh -c "exit 0" & exec sleep 300'], { stdio: 'ignore' });
  const zombie = (): ProcessRow | undefined => table.all().find(({ parent }) => parent === child.pid);
  return expect
    .poll(() => {
      const found = zombie();
      return found !== undefined && isDead(found);
    })
    .toBe(true)
    .finally(() => child.kill('SIGKILL'));
});

test('where there is not even ps, nothing is known and nothing fails', () => {
  const table = psTable('axeww', '/no/such');
  expect([table.bootId, table.one(process.pid), table.all()]).toEqual(['unknown', null, []]);
  expect(table.withVariable('PATH', () => true)).toEqual([]);
});

test('control groups are known by every name on their paths', () => {
  using folder = tempFolder();
  mkdirSync(join(folder.path, '7'));
  writeFileSync(join(folder.path, '7/cgroup'), '8:pids:/user/tutti@a:b@c\n0::/user/inner\n');
  const table = procTable(folder.path);
  expect(table.groups(7)).toEqual(['user', 'tutti@a:b@c', 'inner']);
  expect(table.groups(8)).toEqual([]);
  expect(table.programs(8)).toEqual([]);
  expect(psTable('axeww', '/no/such').groups(7)).toEqual([]);
});
