import { accessSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { StoreUnavailable } from './errors.ts';

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
  expect(new StoreUnavailable('/p/.tutti/tutti.db', readOnly).hint).toBe(
    'its file system is mounted read-only: mount it for writing, then run: tutti resume',
  );
  denyWith('EACCES');
  expect(new StoreUnavailable('/p/.tutti/tutti.db', readOnly).hint).toContain('check who owns');
});
