import { expect, test } from 'vitest';
import { cannotRun, type CommandEnd, judgeCommand, programNotRun } from './command.ts';

const passing = { exitCode: 0, signal: null, timedOut: false, durationMs: 61_400, outputTail: '' };

test.each<[Partial<CommandEnd>, string | null, string]>([
  [{}, null, 'passed after 1m 01s'],
  [{ exitCode: 3 }, 'exit', 'ended with exit code 3 after 1m 01s'],
  [{ exitCode: null }, 'signal', 'was killed after 1m 01s'],
  [{ exitCode: null, signal: 'SIGSEGV' }, 'signal', 'was killed by SIGSEGV after 1m 01s'],
  [{ signal: 'SIGSEGV' }, 'signal', 'was killed by SIGSEGV after 1m 01s'],
  [{ exitCode: 126 }, 'unavailable', 'cannot be run (exit code 126)'],
  [
    { exitCode: 127, outputTail: 'sh: 1: lint: not found\n' },
    'unavailable',
    'cannot be run: lint is missing or not executable (exit code 127)',
  ],
  [{ exitCode: 0, timedOut: true }, 'timeout', 'timed out after 1m 01s and was killed'],
])('a command that ended with %j has the problem %s: %s', (change, problem, words) => {
  expect(judgeCommand({ ...passing, ...change })).toEqual({ problem, words });
});

test.for([
  [126, true],
  [127, true],
  [1, false],
  [null, false],
] as const)('a command that ended with %s could not be run: %s', ([exitCode, wanted]) => {
  expect(cannotRun(exitCode)).toBe(wanted);
});

test.for([
  ['npm test', '> runner\n\nsh: 1: runner: not found\n', 'runner'],
  ['npm test', 'bash: line 1: runner: command not found', 'runner'],
  ['./check', 'sh: 1: ./check: Permission denied', './check'],
  ['tox', 'env: ‘python3’: No such file or directory\n', 'python3'],
  ['  lint . --all', 'no shell speaks here', 'lint'],
  ['lint', '', 'lint'],
] as const)('the program that kept %j from running is found in %j: %s', ([command, output, program]) => {
  expect(programNotRun(command, output)).toBe(program);
});
