import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { pastStaleLocks } from './stale-lock.ts';

const blocked = (path: string) => ({
  exitCode: 128,
  stdout: '',
  stderr: `fatal: cannot lock ref 'refs/x': Unable to create '${path}': File exists.\n`,
});
const went = { exitCode: 0, stdout: '', stderr: '' };

/** Git, as long as the lock is there. */
const gitWith = (path: string) => () => Promise.resolve(existsSync(path) ? blocked(path) : went);

test('the lock of a git that was killed long ago is removed', async () => {
  using folder = tempFolder();
  const path = join(folder.path, 'x.lock');
  writeFileSync(path, '');
  utimesSync(path, 1, 1);
  expect(await pastStaleLocks(folder.path, gitWith(path))).toEqual(went);
  expect(existsSync(path)).toBe(false);
});

test('a fresh one is waited for: its holder goes on in a moment', async () => {
  using folder = tempFolder();
  const path = join(folder.path, 'x.lock');
  let calls = 0;
  writeFileSync(path, '');
  const end = await pastStaleLocks(folder.path, () => {
    calls += 1;
    return Promise.resolve(calls === 1 ? blocked(path) : went);
  });
  expect([end, calls, existsSync(path)]).toEqual([went, 2, true]);
});

test('one elsewhere is never touched, and any other failure is told at once', async () => {
  using folder = tempFolder();
  using other = tempFolder();
  const path = join(other.path, 'x.lock');
  writeFileSync(path, '');
  utimesSync(path, 1, 1);
  expect(await pastStaleLocks(folder.path, gitWith(path))).toEqual(blocked(path));
  expect(existsSync(path)).toBe(true);
  const failed = { exitCode: 1, stdout: '', stderr: 'no' };
  expect(await pastStaleLocks(folder.path, () => Promise.resolve(failed))).toEqual(failed);
});
