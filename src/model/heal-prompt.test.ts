import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { failure } from './failure.ts';
import {
  answersWords,
  crashWords,
  healWords,
  joinFindings,
  resumeWords,
  withAnswers,
} from './heal-prompt.ts';

test('a healing turn repeats the task and says what failed', () => {
  const { prompt, news } = healWords('Build it.', failure('gate', 'two\ntests fail'));
  expect(news).toBe(
    'Previous attempt failed with:\ntwo tests fail\n\nFix every failure above, then hand over your result again.\n',
  );
  expect(prompt).toBe(`Build it.\n\n---\n\n${news}`);
});

test.each([
  [{ output: 'the tail' }, 'the tail'],
  [{ evidence: { output: 'of a gate' } }, 'of a gate'],
  ['plain text', 'plain text'],
  [{ exit: 1 }, '{\n  "exit": 1\n}'],
  [[1, 2], '[\n  1,\n  2\n]'],
])('evidence %j is quoted', (evidence, quoted) => {
  expect(healWords('t', failure('gate', 'm', { evidence })).news).toContain(`\`\`\`\n${quoted}\n\`\`\``);
});

test('a turn after a crash says that work may exist, and quotes tool calls that may have run', () => {
  const { prompt, news } = crashWords('Build it.', []);
  expect(prompt).toMatch(/may exist already[\s\S]*The task:\n\nBuild it\.$/);
  expect(prompt).not.toContain('may have run');
  expect(news).toMatch(/may exist already/);
  expect(news).not.toContain('Build it.');
  expect(crashWords('Build it.', ['Bash make', 'Write a']).news).toMatch(
    /may have run[\s\S]*```\nBash make\nWrite a\n```/,
  );
});

test('no evidence is no quotation', () => {
  expect(healWords('t', failure('gate', 'm', { evidence: null })).news).not.toContain('Evidence');
});

test('quoted text can never end its own fence, and is not endless', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('`', '```', 'a', '\n'), { maxLength: 40 }), (parts) => {
      const output = parts.join('');
      const { prompt } = healWords('t', failure('gate', 'm', { evidence: { output: `x${output}` } }));
      const ticks = /\n(`{3,})\nx/.exec(prompt)?.[1] ?? '';
      expect(ticks).not.toBe('');
      expect(output.includes(ticks)).toBe(false);
    }),
  );
  const { prompt: long } = healWords(
    't',
    failure('gate', 'm', { evidence: { output: 'y'.repeat(100_000) } }),
  );
  expect(long.length).toBeLessThan(9_000);
});

test('a turn after an answer has the task, the question and the answer', () => {
  const { prompt, news } = answersWords('Build it.', [{ question: 'Which\none?', answer: { text: 'this' } }]);
  expect(prompt).toContain('Build it.');
  expect(prompt).toContain('Question: Which one?\nAnswer: this');
  expect(news).toContain('Question: Which one?\nAnswer: this');
  expect(news).not.toContain('Build it.');
});

test('a turn after a usage limit goes on, and has the task for a CLI that forgot it', () => {
  const { prompt, news } = resumeWords('Build it.');
  expect(prompt).toMatch(/^A usage limit interrupted you[^]*\n\nBuild it\.$/);
  expect(news).toMatch(/^A usage limit interrupted you/);
  expect(news).not.toContain('Build it.');
});

test('a long output hides no other failure', () => {
  const findings = [1, 2, 3].map((n) => ({
    headline: `check ${n} failed`,
    output: `${'y'.repeat(50_000)}end ${n}`,
  }));
  const text = joinFindings(findings);
  for (const n of [1, 2, 3]) expect(text).toMatch(new RegExp(`check ${n} failed\\ny+end ${n}(\\n|$)`));
  const { news } = healWords('t', failure('gate', 'm', { evidence: { output: text } }));
  expect(news).toContain('check 1 failed');
  expect(joinFindings([])).toBe('');
});

test('a task is followed by what people answered before, each answer once', () => {
  const which = { question: 'Which?', answer: { text: 'this' } };
  const when = { question: 'When?', answer: { text: 'now' } };
  expect(withAnswers('Build it.', [])).toBe('Build it.');
  expect(withAnswers('Build it.', [which, which])).toBe(
    'Build it.\n\n---\n\nA person answered these questions about the task before. Do not ask them again.\n\nQuestion: Which?\nAnswer: this\n',
  );
  const { prompt, news } = answersWords('Build it.', [when], [which, when]);
  expect(prompt.split('Question: When?')).toHaveLength(2);
  expect(prompt).toContain('Question: Which?\nAnswer: this');
  expect(news).not.toContain('Which?');
});
