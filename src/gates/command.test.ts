import { expect, test } from 'vitest';
import { commandGate } from './command.ts';
import { diffGate } from './diff.ts';
import { toolsGate } from './tools.ts';

const npmTest = { kind: 'command', argv: ['npm', 'test'], timeoutMs: 90_000 } as const;

test.each([
  [{ exitCode: 0, outputTail: 'ok', timedOut: false }, true, '`npm test` passed'],
  [{ exitCode: 1, outputTail: 'no', timedOut: false }, false, '`npm test` ended with exit code 1'],
  [{ exitCode: null, outputTail: '', timedOut: false }, false, '`npm test` was ended by a signal'],
  [{ exitCode: 0, outputTail: '', timedOut: true }, false, '`npm test` did not end within 1m 30s'],
])('an acceptance command that ended as %j passes: %s', (end, passed, finding) => {
  expect(commandGate(npmTest, end)).toEqual({
    gate: 'command',
    passed,
    finding,
    evidence: {
      argv: ['npm', 'test'],
      exit_code: end.exitCode,
      timed_out: end.timedOut,
      output: end.outputTail,
    },
  });
});

test('an agent passes with as many tools as are asked for, not with fewer', () => {
  expect(toolsGate({ kind: 'tools', min: 2 }, 2)).toMatchObject({ passed: true });
  expect(toolsGate({ kind: 'tools', min: 2 }, 1)).toMatchObject({
    passed: false,
    finding: 'the agent used 1 tools, and 2 are needed',
  });
});

const git =
  (stdout: string, exitCode = 0) =>
  () =>
    Promise.resolve({ exitCode, stdout, stderr: 'fatal: no' });

test('changes pass, no changes do not, and a git that fails does not pass either', async () => {
  expect(await diffGate(git(' M a.ts\0?? new file.ts\0'))).toEqual({
    gate: 'diff',
    passed: true,
    finding: '2 files changed',
    evidence: { changed: 2, paths: ['a.ts', 'new file.ts'] },
  });
  expect(await diffGate(git(''))).toMatchObject({
    passed: false,
    finding: 'nothing changed since the last commit',
  });
  expect(await diffGate(git(' M a.ts\0', 128))).toMatchObject({
    passed: false,
    evidence: { output: 'fatal: no' },
  });
});
