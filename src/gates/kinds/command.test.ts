import { expect, test } from 'vitest';
import type { CommandEnd } from '../../model/command.ts';
import { commandGate } from './command.ts';
import { diffGate } from './diff.ts';
import { toolsGate } from './tools.ts';

const end: CommandEnd = {
  exitCode: 0,
  signal: null,
  timedOut: false,
  outputTail: 'printed',
  lastLine: 'printed',
  outputDigest: 'd',
  durationMs: 300,
  log: '/log',
};

test('a command that passes is a gate that passes, with what it printed as evidence', () => {
  expect(commandGate({ argv: ['npm', 'test'] }, end)).toEqual({
    gate: 'command',
    passed: true,
    finding: '`npm test` passed after 0.3s',
    evidence: { argv: ['npm', 'test'], exit_code: 0, timed_out: false, output: 'printed', log: '/log' },
  });
});

test('a command that does not pass names the problem and itself, by the name that people know', () => {
  const failed = { ...end, exitCode: 127, log: null };
  expect(commandGate({ argv: ['sh', '-c', 'lint .'] }, failed, 'lint .')).toEqual({
    gate: 'command',
    passed: false,
    problem: 'unavailable',
    finding: '`lint .` cannot be run (exit code 127)',
    evidence: { argv: ['sh', '-c', 'lint .'], exit_code: 127, timed_out: false, output: 'printed' },
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
