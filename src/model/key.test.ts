import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSafeId } from '../lib/ids.ts';
import { attemptId, childRunId, faultOfKey, keyOf, rootStepOf, stepIdOf } from './key.ts';

test('a changed input is another key, a reordered one is not', () => {
  expect(keyOf('build', { prompt: 'x', files: [1] })).toBe(keyOf('build', { files: [1], prompt: 'x' }));
  expect(keyOf('build', { prompt: 'x' })).not.toBe(keyOf('build', { prompt: 'y' }));
  expect(keyOf('build', 1)).toMatch(/^build@[0-9a-f]{16}$/);
});

test('a key has at most 1024 bytes of UTF-8, and no NUL', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1200 }), (key) => {
      const fits = Buffer.byteLength(key) <= 1024 && !key.includes('\0');
      expect(faultOfKey(key) === null).toBe(fits);
    }),
  );
  expect(faultOfKey('k'.repeat(1024))).toBeNull();
  expect(faultOfKey('k'.repeat(1025))).toBe(
    `key '${'k'.repeat(40)}…' has 1025 bytes, and a key has at most 1024`,
  );
  expect(faultOfKey('a\0b')).toBe("key 'a\\u0000b' contains a NUL character");
});

test('the step can be read from the key, whatever its id holds', () => {
  fc.assert(
    fc.property(fc.string(), (id) => {
      expect(stepIdOf(keyOf(id, null))).toBe(id);
    }),
  );
  expect(stepIdOf('no digest')).toBe('no digest');
});

test('a part belongs to its step', () => {
  expect(rootStepOf('build/heal-1@0f')).toBe('build');
  expect(rootStepOf('build@0f')).toBe('build');
  expect(rootStepOf('build/gates/1')).toBe('build');
});

test('attempts of different runs, keys and numbers have different ids', () => {
  expect(attemptId({ runId: 'r', key: 'k', attempt: 2 })).toBe('r#k#2');
});

test('a child’s id is a function of its parent and key, and safe in a path', () => {
  expect(childRunId('r', 'kid')).toBe(childRunId('r', 'kid'));
  expect(childRunId('r', 'kid')).not.toBe(childRunId('r', 'other'));
  expect(isSafeId(childRunId(childRunId('run-1', '../../x'), 'y'))).toBe(true);
});
