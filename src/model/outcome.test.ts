import { expect, test } from 'vitest';
import { exitCodeOf, exitCodes, gravestOf, outcomes } from './outcome.ts';
import { propagationOf, type Layer } from './propagation.ts';
import { outcomeOfRun, admitsLaunches, isByPerson, isOver, rests, type RunState } from './run.ts';
import { isTerminal, type SessionStatus } from './session.ts';

test('no two outcomes share an exit code', () => {
  expect(new Set(outcomes.map(exitCodeOf)).size).toBe(outcomes.length);
});

test('the exit codes of seed A are seed A’s', () => {
  expect(exitCodes).toMatchObject({
    SUCCESS: 0,
    FAILURE: 1,
    DEPTH_EXCEEDED: 2,
    HUMAN_INPUT: 3,
    NEEDS_REFINEMENT: 10,
    NEEDS_ESCALATION: 11,
    PARTIAL_SUCCESS: 12,
    INTERRUPTED: 20,
    TIMEOUT: 21,
  });
});

test('the gravest of several ends names the whole', () => {
  expect(gravestOf([])).toBe('SUCCESS');
  expect(gravestOf(['SUCCESS', 'FAILURE', 'PARTIAL_SUCCESS'])).toBe('FAILURE');
  expect(gravestOf(outcomes)).toBe('DEPTH_EXCEEDED');
  for (const outcome of outcomes) expect(gravestOf(['SUCCESS', outcome])).toBe(outcome);
});

test('no layer absorbs anything but success, and none hides that the depth is exceeded', () => {
  const layers: readonly Layer[] = ['orchestrator', 'coordinator', 'campaign'];
  for (const layer of layers) {
    expect(outcomes.filter((outcome) => propagationOf(layer, outcome) === 'absorb')).toEqual(['SUCCESS']);
    expect(propagationOf(layer, 'DEPTH_EXCEEDED')).toBe('raise');
    expect(propagationOf(layer, 'LIMIT_PAUSED')).toBe('wait');
  }
  expect(propagationOf('campaign', 'HUMAN_INPUT')).toBe('ask-person');
  expect(propagationOf('coordinator', 'NEEDS_REFINEMENT')).toBe('resolve-and-reinvoke');
});

const states: readonly RunState[] = [
  { at: 'running' },
  { at: 'halting', reason: '' },
  { at: 'halted', reason: '' },
  { at: 'ended', outcome: 'TIMEOUT', value: null, failure: null },
];

test('a run that was halted or stopped rests until it is continued', () => {
  expect(states.map((state) => rests({ state, cancelled: false }))).toEqual([false, true, true, false]);
  expect(states.map((state) => rests({ state, cancelled: true }))).toEqual([true, true, true, true]);
});

test("a halt without a known author counts as a person's", () => {
  expect([null, 'user:ada', 'session:s', 'claude', 'tutti'].map(isByPerson)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('a run is over when it ended or stands still, and only a running one launches', () => {
  expect(states.map(isOver)).toEqual([false, false, true, true]);
  expect(states.map((state) => admitsLaunches({ state, cancelled: false }))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(admitsLaunches({ state: { at: 'running' }, cancelled: true })).toBe(false);
  expect(states.map(outcomeOfRun)).toEqual([null, null, 'HALTED', 'TIMEOUT']);
});

test('a session has ended when it completed, failed or was killed', () => {
  const statuses: readonly SessionStatus[] = ['CREATED', 'RUNNING', 'COMPLETED', 'FAILED', 'KILLED'];
  expect(statuses.filter(isTerminal)).toEqual(['COMPLETED', 'FAILED', 'KILLED']);
});
