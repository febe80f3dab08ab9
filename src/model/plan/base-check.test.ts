import { expect, test } from 'vitest';
import { contextWithout, describeEnd } from './base-check.ts';

test('a context no longer demands a command that fails on the base', () => {
  const context = '- `npm test` must pass afterwards\n- `npm run $& lint` must pass afterwards';
  expect(contextWithout(context, ['npm run $& lint'])).toBe(
    '- `npm test` must pass afterwards\n- `npm run $& lint` fails on the base, and no task has to pass it',
  );
  expect(contextWithout(context, [])).toBe(context);
});

test.for([
  [true, 0, '`x` passed'],
  [false, 1, '`x` failed (exit code 1)'],
  [false, 126, '`x` cannot be run (exit code 126)'],
  [false, 127, '`x` cannot be run (exit code 127)'],
  [false, null, '`x` was ended before it finished'],
] as const)('a command that passed: %s, with code %s, reads: %s', ([passed, exitCode, words]) => {
  expect(describeEnd({ command: 'x', passed, exitCode })).toBe(words);
});
