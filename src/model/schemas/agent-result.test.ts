import { expect, test } from 'vitest';
import { agentResultForm, agentResultOf, questionsIn } from './agent-result.ts';
import { check, issueSentence } from './issue.ts';

function result(value: unknown) {
  const form = check(agentResultForm, value);
  return form.ok ? agentResultOf(form.value) : form.error.map(issueSentence);
}

test('questions are read from a result in any form, and are none where they are not in ours', () => {
  expect(questionsIn({ answer: 1, questions: ['Which?', { text: 'Where?', options: ['here'] }] })).toEqual([
    { text: 'Which?' },
    { text: 'Where?', options: ['here'] },
  ]);
  for (const other of [null, 'x', {}, { questions: 'Which?' }, { questions: [3] }]) {
    expect(questionsIn(other)).toEqual([]);
  }
});

test('a status is enough', () => {
  expect(result({ status: 'success' })).toEqual({
    status: 'success',
    summary: '',
    artifacts: [],
    notes: [],
    questions: [],
    usage: null,
  });
});

test('everything an agent tells arrives, and what nobody asked for is left alone', () => {
  const told = {
    status: 'blocked',
    summary: 's',
    artifacts: ['a.ts'],
    notes: ['n', { text: 'm' }],
    questions: ['Which?', { text: 'Where?', options: ['here', 'there'] }, { text: 'Why?', urgency: 1 }],
    usage: { input_tokens: 3, cost_usd: null, cache: 9 },
    execution_time_seconds: 15,
  };
  expect(result(told)).toEqual({
    status: 'blocked',
    summary: 's',
    artifacts: ['a.ts'],
    notes: ['n', { text: 'm' }],
    questions: [{ text: 'Which?' }, { text: 'Where?', options: ['here', 'there'] }, { text: 'Why?' }],
    usage: { inputTokens: 3, outputTokens: null, costUsd: null },
  });
  expect(result({ status: 'failed', usage: { output_tokens: 2, cost_usd: 0.5 } })).toMatchObject({
    usage: { inputTokens: null, outputTokens: 2, costUsd: 0.5 },
  });
  expect(result({ status: 'failed', usage: null })).toMatchObject({ status: 'failed', usage: null });
});

test.each([
  [null, 'must be a JSON object with at least a status'],
  [[], 'must be a JSON object with at least a status'],
  [{}, 'status: is missing'],
  [{ status: 'done' }, 'status: must be one of success, failed, blocked, needs_refinement, needs_escalation'],
  [{ status: 'success', artifacts: 'a' }, 'artifacts: must be a list of paths'],
  [{ status: 'success', artifacts: ['a\0'] }, 'artifacts[0]: may not contain NUL or broken UTF-16'],
  [
    { status: 'success', usage: { input_tokens: -1 } },
    'usage.input_tokens: must be a number that is not negative',
  ],
  [
    { status: 'success', questions: [7] },
    'questions[0]: must be the text of a question, or a mapping with text and options',
  ],
])('%j is refused with the sentence %j', (value, sentence) => {
  expect(result(value)).toEqual([sentence]);
});
