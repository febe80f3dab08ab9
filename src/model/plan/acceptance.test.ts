import { expect, test } from 'vitest';
import { plain } from '../../lib/json.ts';
import { messageOf } from '../message.ts';
import type { GateEvidence } from '../gate.ts';
import {
  acceptanceOf,
  leftOutCommand,
  leftOutReason,
  verificationOf,
  waivedAcceptance,
} from './acceptance.ts';

const criterion = { criterion: 'The tests pass', verification: 'npm test' };
const failed: GateEvidence = {
  gate: 'command',
  passed: false,
  problem: 'exit',
  finding: '`npm test` ended with exit code 1 after 0.3s',
  evidence: { exit_code: 1, output: 'one\ntwo\n\nthree\nfour\n', log: '/p/accept-1.log' },
};

test('a criterion that does not pass shows its command, exit code, last lines and log', () => {
  const end = acceptanceOf(criterion, failed);
  const words = '`npm test` ended with exit code 1 after 0.3s: two | three | four; log: /p/accept-1.log';
  expect(end).toMatchObject({ exitCode: 1, problem: 'exit', finding: words });
  expect(end.criterion).toEqual({ name: 'The tests pass', status: 'FAIL', evidence: failed.finding });
  // The events and the status of the step say the same.
  expect(messageOf({ at: 'done', outcome: 'FAILURE', value: plain(end) })).toBe(words);
  const silent = acceptanceOf(criterion, { ...failed, evidence: { exit_code: 1, output: '' } });
  expect(silent.finding).toBe(`${failed.finding}: it printed nothing`);
});

test.for([
  ['timeout', 'timeout'],
  ['unavailable', 'unavailable'],
  ['signal', 'exit'],
] as const)('a command with the problem %s is recorded with %s', ([problem, wanted]) => {
  expect(acceptanceOf(criterion, { ...failed, problem }).problem).toBe(wanted);
});

test('a gate of another kind can be a criterion too', () => {
  const missing: GateEvidence = {
    gate: 'file',
    passed: false,
    finding: 'a.txt does not exist',
    evidence: 'a',
  };
  expect(acceptanceOf(criterion, missing)).toMatchObject({ problem: 'exit', exitCode: null });
  const there: GateEvidence = { gate: 'file', passed: true, finding: 'a.txt exists', evidence: null };
  expect(acceptanceOf(criterion, there)).toEqual({
    criterion: { name: 'The tests pass', status: 'PASS', evidence: 'a.txt exists' },
    exitCode: null,
    output: '',
    problem: null,
  });
});

test('a waived criterion fails nothing, and is found by the command that it runs', () => {
  expect(leftOutCommand(['npm test'], criterion)).toBe('npm test');
  expect(leftOutCommand(['npm run lint'], criterion)).toBeNull();
  const waived = waivedAcceptance(criterion, leftOutReason('npm test')).criterion;
  const evidence = 'not judged: `npm test` is left out of this plan';
  expect(waived).toEqual({ name: 'The tests pass', status: 'WAIVED', evidence });
  expect(verificationOf([waived]).verdict).toBe('PASS');
  expect(verificationOf([waived, acceptanceOf(criterion, failed).criterion]).verdict).toBe('FAIL');
});
