import { expect, test } from 'vitest';
import { failure } from './failure.ts';
import { failureOfTurn, type SessionSpec, spokenTurn, type TurnOutcome, workflowHandoff } from './turn.ts';
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

const later: SessionSpec = {
  agent: 'coder',
  driver: 'd',
  tier: 'low',
  systemPrompt: '',
  prompt: 'The task. The news.',
  news: 'The news.',
  workspace: '/w',
  turn: 2,
  continues: 's',
  conversation: 'c',
  result: 'optional',
  timeoutMs: 1,
  priority: 0,
  handoff: workflowHandoff,
};

test('a continued conversation hears only the news', () => {
  expect(spokenTurn(later, 'remembers')).toMatchObject({ prompt: 'The news.', whole: later.prompt });
  expect(spokenTurn(later, 'remembers')).not.toHaveProperty('news');
});

test('a conversation that nothing remembers hears the whole task', () => {
  expect(spokenTurn(later, 'forgets').prompt).toBe(later.prompt);
  expect(spokenTurn({ ...later, continues: null }, 'remembers').prompt).toBe(later.prompt);
  expect(spokenTurn({ ...later, conversation: null }, 'remembers').prompt).toBe(later.prompt);
  const { news: _, ...whole } = later;
  expect(spokenTurn(whole, 'remembers').prompt).toBe(later.prompt);
});
