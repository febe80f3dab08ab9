import { expect, test } from 'vitest';
import { closed, type OpenQuestion } from '../../model/question.ts';
import { questionLines } from './question-lines.ts';
import { painter } from './style.ts';

const params = { now: 2000, columns: 80, paint: painter(false), withRun: false };

function asking(output: string, log?: string): OpenQuestion {
  const end = {
    command: 'npm test',
    passed: false,
    exitCode: 1,
    output,
    ...(log === undefined ? {} : { log }),
  };
  return {
    id: 'Q1',
    runId: 'p-plan',
    key: 'ingestion/base-question-1@1',
    question: {
      text: 'Plan p: on the base, before any task, `npm test` ended with exit code 1 after 2.0s. Continue without it?',
      options: ['without', 'again', 'stop'],
      evidence: { ends: [end] },
      step: 'ingestion',
    },
    askedAt: 1000,
    asker: null,
  };
}

test('a question about a command is followed by the lines that say what went wrong, and by the log', () => {
  const trace = Array.from({ length: 20 }, (_, at) => `    at frame ${at} (file.js:${at})`).join('\n');
  const open = asking(`Error: nope, not here\u001b[31m\n${trace}\n\nℹ todo 0\n`, '/state/output.log');
  const lines = questionLines(open, params).map((line) => line.trimEnd());
  expect(lines.slice(0, 3)).toEqual([
    '◐ Q1  ingestion  (1.0s ago)',
    '     Plan p: on the base, before any task, `npm test` ended with exit code 1',
    '     after 2.0s. Continue without it?',
  ]);
  const from = lines.indexOf('     $ npm test');
  expect(lines.slice(from, from + 4)).toEqual([
    '     $ npm test',
    expect.stringMatching(/^ {7}Error: nope/),
    '       log: /state/output.log',
    '     1) without',
  ]);
  expect(lines.join('')).not.toContain('\u001b');
});

test('where no line says what went wrong, the last ones are shown', () => {
  const lines = questionLines(asking('one\n\ntwo\n'), params);
  const from = lines.indexOf('     $ npm test');
  expect(lines.slice(from + 1, from + 4)).toEqual(['       one', '       two', '     1) without']);
});

test('a command that printed nothing adds no lines', () => {
  expect(questionLines(asking(' \n'), params).some((line) => line.includes('$ npm test'))).toBe(false);
});

test('options that other words may replace say so', () => {
  const open = asking('');
  const words = (each: OpenQuestion) =>
    questionLines(each, params).some((line) => line.trim() === 'or an answer in your own words');
  expect(words(open)).toBe(true);
  expect(words({ ...open, question: { ...open.question, closed } })).toBe(false);
  expect(words({ ...open, asker: { session: 's', request: 1 } })).toBe(false);
  expect(words({ ...open, question: { text: 'Which?' } })).toBe(false);
});
