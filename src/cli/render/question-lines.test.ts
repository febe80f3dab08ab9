import { expect, test } from 'vitest';
import type { OpenQuestion } from '../../model/question.ts';
import { questionLines } from './question-lines.ts';
import { painter } from './style.ts';

const params = { now: 2000, columns: 80, paint: painter(false), withRun: false };

function asking(output: string): OpenQuestion {
  return {
    id: 'Q1',
    runId: 'p-plan',
    key: 'ingestion/base-question-1@1',
    question: {
      text: 'Plan p: on the base, before any task, `npm test` ended with exit code 1 after 2.0s. Continue without it?',
      options: ['without', 'again', 'stop'],
      evidence: { ends: [{ command: 'npm test', passed: false, exitCode: 1, output }] },
      step: 'ingestion',
    },
    askedAt: 1000,
    asker: null,
  };
}

test('the output of a command that a question is about follows the question in whole lines, its end last', () => {
  const trace = Array.from({ length: 20 }, (_, at) => `    at frame ${at} (file.js:${at})`).join('\n');
  const lines = questionLines(asking(`${trace}\n\nError: nope\u001b[31m\n`), params);
  expect(lines.slice(0, 3).map((line) => line.trimEnd())).toEqual([
    '◐ Q1  ingestion  (1.0s ago)',
    '     Plan p: on the base, before any task, `npm test` ended with exit code 1',
    '     after 2.0s. Continue without it?',
  ]);
  const from = lines.indexOf('     $ npm test');
  expect(lines.slice(from, from + 3)).toEqual([
    '     $ npm test',
    '       …',
    '       at frame 13 (file.js:13)',
  ]);
  expect(lines.slice(from + 9, from + 11)).toEqual([
    expect.stringMatching(/^ {7}Error: nope/),
    '     1) without',
  ]);
  expect(lines.join('')).not.toContain('\u001b');
});

test('a command that printed nothing adds no lines', () => {
  expect(questionLines(asking(' \n'), params).some((line) => line.includes('$ npm test'))).toBe(false);
});
