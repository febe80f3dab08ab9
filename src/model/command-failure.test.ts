import { expect, test } from 'vitest';
import { failureOfCommand } from './command-failure.ts';
import type { CommandEnd } from './command.ts';

const end: CommandEnd = {
  exitCode: 0,
  signal: null,
  timedOut: false,
  outputTail: 'tail',
  lastLine: 'last',
  outputDigest: '0',
  durationMs: 300,
  log: '/log',
};

test('a command that passed is no failure', () => {
  expect(failureOfCommand(['make'], end)).toBeNull();
});

test.each<[Partial<CommandEnd>, string, string, string]>([
  [{ exitCode: 3 }, 'exit', 'FAILURE', '`make test` ended with exit code 3 after 0.3s'],
  [{ signal: 'SIGSEGV' }, 'signal', 'FAILURE', '`make test` was killed by SIGSEGV after 0.3s'],
  [{ timedOut: true }, 'timeout', 'TIMEOUT', '`make test` timed out after 0.3s and was killed'],
  [{ exitCode: 126 }, 'unavailable', 'UNAVAILABLE', '`make test` cannot be run (exit code 126): last'],
  [
    { exitCode: 127, lastLine: '' },
    'unavailable',
    'UNAVAILABLE',
    '`make test` cannot be run (exit code 127)',
  ],
])('a command that ended with %j fails with %s', (change, reason, outcome, message) => {
  const evidence = { output: 'tail', log: '/log' };
  expect(failureOfCommand(['make', 'test'], { ...end, ...change })).toEqual({
    reason,
    outcome,
    message,
    evidence,
  });
});
