import { expect, test } from 'vitest';
import type { Json } from '../lib/json.ts';
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

test('a target that an earlier release recorded with the name of a plan is read with that plan as its owner', () => {
  const read = (target: Json) => readOperation({ name: 'land', args: { target }, workspace: '/w' }).args;
  expect(read({ dir: '/d', plan: 'shop' })).toEqual({
    target: { dir: '/d', plan: 'shop', owner: { kind: 'plan', name: 'shop' } },
  });
  const present = { dir: '/d', owner: { kind: 'crew', name: 'shop' } };
  expect(read(present)).toEqual({ target: present });
});
