import { expect, test } from 'vitest';
import { failure } from '../failure.ts';
import { callHealWords } from './call-heal-words.ts';

test('the agent hears what was seen, as data, and each issue in a line of its own', () => {
  const gates = [{ finding: '`npm test` failed' }, { finding: 'docs/a.md is missing' }];
  const evidence = { output: '1 failing\n```', gates };
  const { prompt, news } = callHealWords(
    failure('gate', '2 of 2 gates failed', { evidence }),
    '/spec PLAN a.md',
  );
  expect(prompt).toMatch(/^\/spec PLAN a\.md\n\n---\n\nPrevious attempt failed with:/);
  expect(news).toContain('````\n1 failing\n```\n````');
  expect(news).toContain('Fix the following issues:\n- `npm test` failed\n- docs/a.md is missing\n');
});

test('a failure without evidence is its own diagnostics', () => {
  const { news } = callHealWords(failure('reported', 'no\ntarget'), 't');
  expect(news).toContain(
    'Previous attempt failed with:\nno target\n\nFix the following issues:\n- no target\n',
  );
  expect(callHealWords(failure('gate', 'm', { evidence: { output: 'o' } }), 't').news).toContain('- m\n');
});
