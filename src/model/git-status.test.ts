import { expect, test } from 'vitest';
import { listUncommitted, parseUncommitted } from './git-status.ts';

test('every file that is not committed is listed, whatever its name', () => {
  expect(parseUncommitted(' M a.ts\0?? with blank.ts\0D  b\nc.ts\0')).toEqual([
    'a.ts',
    'with blank.ts',
    'b\nc.ts',
  ]);
  expect(parseUncommitted('')).toEqual([]);
});

test('git starts no monitor that a repository names', () => {
  expect(listUncommitted).toContain('core.fsmonitor=false');
});
