import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { failure } from './failure.ts';
import { answersPrompt, crashPrompt, healPrompt, resumePrompt } from './heal-prompt.ts';

test('a healing turn repeats the task and says what failed', () => {
  const prompt = healPrompt('Build it.', failure('gate', 'two\ntests fail'));
  expect(prompt).toBe(
    'Build it.\n\n---\n\nPrevious attempt failed with:\ntwo tests fail\n\nFix the following issues:\n- two tests fail\n',
  );
});

test.each([
  [{ output: 'the tail' }, 'the tail'],
  [{ evidence: { output: 'of a gate' } }, 'of a gate'],
  ['plain text', 'plain text'],
  [{ exit: 1 }, '{\n  "exit": 1\n}'],
  [[1, 2], '[\n  1,\n  2\n]'],
])('evidence %j is quoted', (evidence, quoted) => {
  expect(healPrompt('t', failure('gate', 'm', { evidence }))).toContain(`\`\`\`\n${quoted}\n\`\`\``);
});

test('a turn after a crash says that work may exist, and quotes tool calls that may have run', () => {
  expect(crashPrompt('Build it.', [])).toMatch(/may exist already[\s\S]*The task:\n\nBuild it\.$/);
  expect(crashPrompt('Build it.', [])).not.toContain('may have run');
  expect(crashPrompt('Build it.', ['Bash make', 'Write a'])).toMatch(
    /may have run[\s\S]*```\nBash make\nWrite a\n```/,
  );
});

test('no evidence is no quotation', () => {
  expect(healPrompt('t', failure('gate', 'm', { evidence: null }))).not.toContain('What was seen');
});

test('quoted text can never end its own fence, and is not endless', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('`', '```', 'a', '\n'), { maxLength: 40 }), (parts) => {
      const output = parts.join('');
      const prompt = healPrompt('t', failure('gate', 'm', { evidence: { output: `x${output}` } }));
      const ticks = /\n(`{3,})\nx/.exec(prompt)?.[1] ?? '';
      expect(ticks).not.toBe('');
      expect(output.includes(ticks)).toBe(false);
    }),
  );
  const long = healPrompt('t', failure('gate', 'm', { evidence: { output: 'y'.repeat(100_000) } }));
  expect(long.length).toBeLessThan(9_000);
});

test('a turn after an answer has the task, the question and the answer', () => {
  const prompt = answersPrompt('Build it.', [{ question: 'Which\none?', answer: { text: 'this' } }]);
  expect(prompt).toContain('Build it.');
  expect(prompt).toContain('Question: Which one?\nAnswer: this');
});

test('a turn after a usage limit goes on, and has the task for a CLI that forgot it', () => {
  expect(resumePrompt('Build it.')).toMatch(/^A usage limit interrupted you[^]*\n\nBuild it\.$/);
});
