import { expect, test } from 'vitest';
import { failure } from './failure.ts';
import { failureOfTurn, type TurnOutcome } from './turn.ts';
import { unknownUsage } from './usage.ts';

const turn: TurnOutcome = {
  outcome: 'SUCCESS',
  stop: 'finished',
  sessionId: 's',
  result: null,
  text: '',
  toolCalls: 0,
  denials: 0,
  conversation: null,
  hookBlocks: 0,
  usage: unknownUsage,
  exitCode: 0,
  failure: null,
  resetAt: null,
};

test('a turn that succeeded has no failure; one that did not always has one', () => {
  expect(failureOfTurn(turn)).toBeNull();
  const told = failure('exit', 'it ended with 3');
  expect(failureOfTurn({ ...turn, outcome: 'FAILURE', failure: told })).toBe(told);
  expect(failureOfTurn({ ...turn, outcome: 'NEEDS_REFINEMENT' })).toMatchObject({
    outcome: 'NEEDS_REFINEMENT',
    message: 'the agent did not succeed',
  });
  const result = {
    status: 'failed',
    summary: 'no',
    artifacts: [],
    notes: [],
    questions: [],
    usage: null,
  } as const;
  expect(failureOfTurn({ ...turn, outcome: 'FAILURE', result })).toMatchObject({ message: 'no' });
});
