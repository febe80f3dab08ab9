import { expect, test } from 'vitest';
import {
  definesRole,
  findSpecificPath,
  lintExecutorPrompt,
  lintLayerPrompt,
  lintSystemPrompt,
  ordersStageSequence,
} from './lint-prompts.ts';

test.for([
  ['You are a senior engineer', true],
  ["you're the reviewer of this change", true],
  ['Act as an architect', true],
  ['Tell the user who you are', false],
  ['Fix the login page', false],
] as const)('%j defines a role: %s', ([text, expected]) => {
  expect(definesRole(text)).toBe(expected);
});

test.for([
  ['plan -> implement -> test', [], true],
  ['Skip the review stage.', [], true],
  ['first research, then plan', ['research', 'plan'], true],
  ['research how people plan', ['research', 'plan'], false],
  ['write the plan, then stop', ['plan', 'implement'], false],
  ['specs/login.md', ['plan'], false],
] as const)('%j orders the stages %j: %s', ([text, stages, expected]) => {
  expect(ordersStageSequence(text, stages)).toBe(expected);
});

test.for([
  ['Edit `src/app/main.ts` now.', 'src/app/main.ts'],
  ['Look into ~/notes and ../other', '~/notes'],
  ['The file is /etc/hosts.', '/etc/hosts'],
  ['Read docs/guide first', 'docs/guide'],
  ['Write config/settings.json:', 'config/settings.json'],
  ['Prompt format: `/spec ACTION TARGET`', null],
  ['Separate input/output and yes/no answers', null],
  ['Write <run>/sentinel/summary.json or *.md files in {dir}/x.md', null],
  ['See https://example.org/a/b.html', null],
  ['Write a summary to result.json', null],
  [`${'a/'.repeat(200)}b.ts`, null],
] as const)('in %j the specific path is %j', ([line, path]) => {
  expect(findSpecificPath(line)).toBe(path);
});

test('a system prompt without a role gets advice, and one without text an error only', () => {
  expect(lintSystemPrompt('Fix things.').map(({ rule }) => rule)).toEqual(['no-role']);
  expect(lintSystemPrompt(' \n').map(({ rule }) => rule)).toEqual(['empty-system-prompt']);
  expect(lintSystemPrompt('You are a helper.')).toEqual([]);
});

test('a prompt may forbid what it may not ask for', () => {
  expect(lintExecutorPrompt('Never call `tutti executor`.\nCall `tutti campaign x`.')).toMatchObject([
    { rule: 'executor-delegates', place: { at: 'prompt', line: 2 } },
  ]);
  const prompt = 'Use `tutti orchestrator a`.\nDo not use `tutti executor b`.\nUse tutti session create.';
  expect(lintLayerPrompt('coordinator', prompt)).toMatchObject([{ rule: 'wraps-spawn', place: { line: 3 } }]);
});

test('a prompt of a calling layer that never names the layer below gets advice, unless it is empty', () => {
  expect(lintLayerPrompt('campaign', 'You are a controller.').map(({ rule }) => rule)).toEqual([
    'no-call-below',
  ]);
  expect(lintLayerPrompt('campaign', '')).toEqual([]);
});
