import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identify } from '../../src/lib/process/identity.ts';
import { locked, LockHeld, sweepClaims } from '../../src/workspace/lock.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { suspendedHolder } from './suspended-holder.ts';

/** Eight processes, half of which die while they hold the lock; how far the number got that each round adds one to. */
async function counted(folder: string, ways: readonly string[]): Promise<number> {
  const file = join(folder, 'number');
  mkdirSync(join(folder, 'locks'), { recursive: true });
  writeFileSync(file, '0');
  await Promise.all(
    ways.map(async (way) => {
      const args = [repository('test/workspaces/holder.ts'), join(folder, 'locks', 'one'), file, '25', way];
      await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
    }),
  );
  return Number(readFileSync(file, 'utf8'));
}

test('eight processes, four of them killed while they hold it: one at a time', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  const ways = ['dies', '', 'dies', '', 'dies', '', 'dies', ''];
  // A holder that dies does so before it has written its last number.
  expect(await counted(folder.path, ways)).toBe(8 * 25 - 4);
  sweepClaims(join(folder.path, 'locks'));
  const left = readdirSync(join(folder.path, 'locks'));
  expect(left.filter((name) => name.includes('claim'))).toEqual([]);
  expect(left.length).toBeLessThanOrEqual(9);
});

test('that test can fail: without the lock, the number is wrong', { timeout: 300_000 }, async () => {
  using folder = tempFolder();
  const ways = Array.from({ length: 8 }, () => 'unlocked');
  // Most are lost; a write that another one cuts can also make the number too great.
  expect(await counted(folder.path, ways)).not.toBe(8 * 25);
});

test('within one process they take turns in the order they came, and a failure lets the next one in', async () => {
  using folder = tempFolder();
  const path = join(folder.path, 'locks', 'one');
  const order: number[] = [];
  const ends = await Promise.allSettled(
    [1, 2, 3].map((number) =>
      locked(path, () => {
        order.push(number);
        return number === 2 ? Promise.reject(new Error('no')) : Promise.resolve(number);
      }),
    ),
  );
  expect(order).toEqual([1, 2, 3]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('what somebody else wrote there is no holder', async () => {
  using folder = tempFolder();
  mkdirSync(join(folder.path, 'locks'));
  writeFileSync(join(folder.path, 'locks', 'one.7'), 'not json');
  expect(await locked(join(folder.path, 'locks', 'one'), () => Promise.resolve('in'))).toBe('in');
});

test('a lock of a suspended process is not waited for longer than the patience, and is free when the process has ended', async () => {
  using folder = tempFolder();
  const path = join(folder.path, 'locks', 'one');
  const holder = spawn('sleep', ['600'], { stdio: 'ignore' });
  try {
    const identity = identify(holder.pid ?? 0);
    holder.kill('SIGSTOP');
    mkdirSync(join(folder.path, 'locks'));
    writeFileSync(`${path}.1`, JSON.stringify(identity));
    await expect(locked(path, () => Promise.resolve('in'), { patienceMs: 50 })).rejects.toThrow(LockHeld);
    expect(readdirSync(join(folder.path, 'locks'))).toEqual(['one.1']);
  } finally {
    holder.kill('SIGKILL');
  }
  await once(holder, 'exit');
  expect(await locked(path, () => Promise.resolve('in'), { patienceMs: 50 })).toBe('in');
});

test('a lock of a suspended process is refused with a sentence that names it, and is had once that process went on', async () => {
  using folder = tempFolder();
  const path = join(folder.path, 'locks', 'one');
  mkdirSync(join(folder.path, 'locks'));
  writeFileSync(join(folder.path, 'number'), '0');
  await using holder = await suspendedHolder(path, join(folder.path, 'number'));
  await expect(locked(path, () => Promise.resolve('in'), { label: 'the lock' })).rejects.toMatchObject({
    message: `process ${holder.pid} holds the lock and does not respond: it is suspended`,
    hint: `let it continue: kill -CONT ${holder.pid}; then try again`,
  });
  await holder.continued();
  // What it was about to do is done, and nobody came between.
  expect(readFileSync(join(folder.path, 'number'), 'utf8')).toBe('1');
  expect(await locked(path, () => Promise.resolve('in'))).toBe('in');
});

test('a lock of a process that works is waited for, and the caller hears of it once', async () => {
  using folder = tempFolder();
  const path = join(folder.path, 'locks', 'one');
  mkdirSync(join(folder.path, 'locks'));
  const holder = spawn('sleep', ['600'], { stdio: 'ignore' });
  writeFileSync(`${path}.1`, JSON.stringify(identify(holder.pid ?? 0)));
  const told: string[] = [];
  const waits = (sentence: string): void => {
    told.push(sentence);
    holder.kill('SIGKILL');
  };
  expect(await locked(path, () => Promise.resolve('in'), { label: 'the lock', waits })).toBe('in');
  expect(told).toEqual([`waiting for process ${holder.pid}, which holds the lock`]);
});
