import { expect, test } from 'vitest';
import { describeEnd, endOnCommit, withoutLog } from './base-check.ts';

test.for([
  [{ passed: true, exitCode: 0 }, '`x` passed after 2.0s'],
  [{ passed: false, exitCode: 1 }, '`x` ended with exit code 1 after 2.0s'],
  [{ passed: false, exitCode: 126 }, '`x` cannot be run (exit code 126)'],
  [
    { passed: false, exitCode: 127, output: 'sh: y: not found' },
    '`x` cannot be run: y is missing or not executable (exit code 127)',
  ],
  [{ passed: false, exitCode: null }, '`x` was killed after 2.0s'],
  [{ passed: false, exitCode: null, timedOut: true }, '`x` timed out after 2.0s and was killed'],
] as const)('a command that ended with %j reads: %s', ([end, words]) => {
  expect(describeEnd({ command: 'x', durationMs: 2000, ...end })).toBe(words);
});

test.for([
  [null, { exitCode: null }],
  [
    { exitCode: 0, timedOut: true },
    { exitCode: null, timedOut: true },
  ],
  [{ exitCode: 3, timedOut: false }, { exitCode: 3 }],
] as const)('the end %j is recorded as %j', ([end, recorded]) => {
  expect(endOnCommit(end)).toEqual(recorded);
});

test('a question about the base does not depend on where a log is', () => {
  const end = { command: 'npm test', passed: false, exitCode: 1, durationMs: 5, output: '' };
  expect(withoutLog({ ...end, log: '/tmp/log' })).toEqual(end);
});
