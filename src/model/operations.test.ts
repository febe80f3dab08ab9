import { expect, test } from 'vitest';
import { readOperation } from './operations.ts';

test('a recorded operation is read under its present name', () => {
  const args = { plan: 'numerals' };
  expect(readOperation({ name: 'land', args, workspace: '/w', timeoutMs: null })).toEqual({
    name: 'task-land',
    args,
    workspace: '/w',
  });
  expect(readOperation({ name: 'task-begin', args, workspace: '/w' }).name).toBe('task-begin');
});

test('what no release recorded is read as it is, for the host to refuse', () => {
  expect(readOperation({ name: 'toString', args: null })).toEqual({
    name: 'toString',
    args: {},
    workspace: '',
  });
  expect(readOperation(null)).toEqual({ name: '', args: {}, workspace: '' });
});
