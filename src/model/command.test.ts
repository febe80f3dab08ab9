import { expect, test } from 'vitest';
import { cannotRun, failureOfCommand, programNotRun, type CommandEnd } from './command.ts';

const end: CommandEnd = {
  exitCode: 0,
  signal: null,
  timedOut: false,
  outputTail: 'tail',
  lastLine: 'last',
  outputDigest: '0',
  durationMs: 61_400,
  log: '/log',
};

test.each<[Partial<CommandEnd>, string | null, string | null]>([
  [{}, null, null],
  [{ exitCode: 3 }, 'exit', "'make test' ended with code 3"],
  [{ exitCode: null }, 'exit', "'make test' ended with code unknown"],
  [{ exitCode: null, signal: 'SIGSEGV' }, 'signal', "'make test' was ended by SIGSEGV"],
  [{ exitCode: 127 }, 'unavailable', "'make' could not be started: last"],
  [
    { exitCode: null, timedOut: true, signal: 'SIGKILL' },
    'timeout',
    "'make test' ran into its deadline after 61 s",
  ],
])('%j: %s', (change, reason, message) => {
  const found = failureOfCommand(['make', 'test'], { ...end, ...change });
  expect(found?.reason ?? null).toBe(reason);
  expect(found?.message ?? null).toBe(message);
  if (found !== null) expect(found.evidence).toEqual({ output: 'tail', log: '/log' });
});

test('a command without a program is named as nothing', () => {
  expect(failureOfCommand([], { ...end, exitCode: 127 })?.message).toBe("'' could not be started: last");
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
