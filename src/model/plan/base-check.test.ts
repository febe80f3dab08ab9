import { expect, test } from 'vitest';
import { describeEnd } from './base-check.ts';

test.for([
  [true, 0, '`x` passed'],
  [false, 1, '`x` failed (exit code 1)'],
  [false, 126, '`x` cannot be run (exit code 126)'],
  [false, 127, '`x` cannot be run (exit code 127)'],
  [false, null, '`x` was ended before it finished'],
] as const)('a command that passed: %s, with code %s, reads: %s', ([passed, exitCode, words]) => {
  expect(describeEnd({ command: 'x', passed, exitCode })).toBe(words);
});
