import { expect, test } from 'vitest';
import { findBeyond, mayWrite, ownChanges } from './write-scope.ts';

test('patterns are relative to the directory of the call, and nothing outside of it may be written', () => {
  expect(mayWrite({ cwd: '', writes: null }, 'any/file')).toBe(true);
  expect(mayWrite({ cwd: 'web', writes: null }, 'web/a.ts')).toBe(true);
  expect(mayWrite({ cwd: 'web', writes: null }, 'website/a.ts')).toBe(false);
  expect(mayWrite({ cwd: 'web', writes: ['src/**'] }, 'web/src/a.ts')).toBe(true);
  expect(mayWrite({ cwd: 'web', writes: ['src/**'] }, 'src/a.ts')).toBe(false);
  expect(mayWrite({ cwd: '', writes: [] }, 'a.ts')).toBe(false);
});

test('a change that a call at work beside this one may make is not blamed on this one', () => {
  const scope = { cwd: '', writes: ['docs/**'] };
  const beside = { cwd: '', writes: ['src/**'] };
  const changed = ['docs/a.md', 'src/a.ts', 'README.md'];
  expect(findBeyond(changed, scope, [beside])).toEqual(['README.md']);
  expect(findBeyond(changed, scope, [])).toEqual(['src/a.ts', 'README.md']);
  expect(findBeyond(changed, scope, [{ cwd: '', writes: null }])).toEqual([]);
  expect(ownChanges(changed, [beside])).toEqual(['docs/a.md', 'README.md']);
});
