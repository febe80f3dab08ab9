import { expect, test } from 'vitest';
import type { OpenQuestion } from '../question.ts';
import { askingRun, takeEditsCommand } from './take-edits.ts';

function open(id: string, options?: readonly string[]): OpenQuestion {
  const question = options === undefined ? { text: '?' } : { text: '?', options };
  return { id, runId: 'p-plan', key: 'k', question, askedAt: 1, asker: null };
}

test('a run asks for edited files by the option that takes them', () => {
  expect(askingRun('p-plan', [])).toEqual({ id: 'p-plan', asks: false });
  expect(askingRun('p-plan', [open('Q1')])).toEqual({ id: 'p-plan', asks: true });
  expect(askingRun('p-plan', [open('Q1'), open('Q2', ['edited', 'abort'])])).toEqual({
    id: 'p-plan',
    asks: true,
    editQuestion: 'Q2',
  });
});

test('the command that takes edits follows from what the planning run asks', () => {
  const run = { id: 'p-plan', asks: true };
  expect(takeEditsCommand('p', [])).toBe('tutti plan load-tasks --plan p');
  expect(takeEditsCommand('p', [run])).toBe('tutti plan edit --taken --plan p');
  expect(takeEditsCommand('p', [{ ...run, editQuestion: 'Q3' }])).toBe('tutti answer Q3 edited');
  expect(takeEditsCommand('p', [{ ...run, asks: false }])).toBe('tutti plan --plan p');
});
