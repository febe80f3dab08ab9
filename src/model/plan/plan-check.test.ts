import { expect, test } from 'vitest';
import { problemOf } from './plan-check.ts';

test('what does not count is told in one sentence, and what counts is not', () => {
  expect(problemOf({ at: 'missing', path: 'tasks/' })).toBe('the agent ended without writing tasks/');
  expect(problemOf({ at: 'invalid', problems: [], left: '' })).toBe('');
  expect(problemOf({ at: 'invalid', problems: ['a'], left: '' })).toBe('a');
  expect(problemOf({ at: 'invalid', problems: ['a', 'b', 'c'], left: '' })).toBe('a; b; c');
  expect(problemOf({ at: 'judged', verdict: 'BLOCKED', summary: 'no', issues: [] })).toBe('BLOCKED: no');
  expect(problemOf({ at: 'judged', verdict: 'READY', summary: 'yes', issues: [] })).toBeNull();
  const tasks = { digest: 'd', content: 'c', changes: null, checksum: '', tasks: null };
  expect(problemOf({ at: 'valid', ...tasks })).toBeNull();
});
