import { accessSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { storeUnavailable } from './errors.ts';

vi.mock(import('node:fs'), async (load) => {
  const fs = await load();
  return { ...fs, accessSync: vi.fn<typeof fs.accessSync>() };
});

const readOnly = new Error('attempt to write a readonly database');

function denyWith(code: string): void {
  vi.mocked(accessSync).mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
}

test('a database on a read-only file system is told apart from one of another owner', () => {
  denyWith('EROFS');
  expect(storeUnavailable('/p/.tutti/tutti.db', readOnly).hint).toBe(
    'its file system is mounted read-only: mount it for writing, then run: tutti resume',
  );
  denyWith('EACCES');
  expect(storeUnavailable('/p/.tutti/tutti.db', readOnly).hint).toContain('check who owns');
});

test('an error of the disk on a file of zeros is a damaged database, and on a sound file it is not', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'tutti.db');
  const ofDisk = new Error('disk I/O error');
  writeFileSync(path, Buffer.alloc(8192));
  expect(storeUnavailable(path, ofDisk)).toMatchObject({
    message: `cannot use ${path}: file is not a database`,
    hint: 'restore it: tutti recover',
  });
  writeFileSync(path, '');
  using db = new DatabaseSync(path);
  db.exec('create table t(a)');
  expect(storeUnavailable(path, ofDisk)).toMatchObject({
    message: `cannot use ${path}: disk I/O error`,
    hint: 'then run: tutti doctor',
  });
});

test('a database whose log was cut short is damaged: recover restores it, and the doctor does not', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'tutti.db');
  using writer = new DatabaseSync(path);
  writer.exec('pragma journal_mode=wal; pragma wal_autocheckpoint=0; create table t(a)');
  for (let n = 0; n < 50; n += 1) writer.exec('insert into t values(1)');
  truncateSync(`${path}-wal`, 5000);
  const read = (): unknown => {
    using reader = new DatabaseSync(path);
    return reader.prepare('select * from t').all();
  };
  const cause = errorOf(read);
  expect(cause.message).toBe('disk I/O error');
  expect(storeUnavailable(path, cause)).toMatchObject({
    message: `cannot use ${path}: a part of it is missing`,
    hint: 'restore it: tutti recover',
  });
});

function errorOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}
