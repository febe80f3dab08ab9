import { expect, test } from 'vitest';
import { configForm, configLayerOf } from './config.ts';
import { problemSentence } from './problem.ts';
import { readForm } from './yaml-document.ts';

function claude(members: string) {
  const form = readForm(configForm, `drivers: {x: {type: claude, ${members}}}`, 'tutti.yaml');
  return form.ok ? configLayerOf(form.value).drivers?.['x'] : form.error.map(problemSentence).join();
}

test('limits, servers, settings and a permission mode arrive as they are written', () => {
  expect(
    claude(
      'permission_mode: bypass, max_turns: 5, max_budget_usd: 0.25, mcp_config: m.json, settings: s.json',
    ),
  ).toEqual({
    type: 'claude',
    program: 'claude',
    models: {},
    permissionMode: 'bypass',
    maxTurns: 5,
    maxBudgetUsd: 0.25,
    mcpConfig: 'm.json',
    settings: 's.json',
  });
});

test('a person is asked where the driver says so', () => {
  expect(claude('permissions: ask')).toMatchObject({ type: 'claude', asks: true });
});

test.each([
  [
    'permissions: deny',
    'permissions: must be ask; other rules of claude are permission_mode and allowed_tools',
  ],
  ['max_turns: 0', 'max_turns: must be a whole number from 1'],
  ['max_budget_usd: 0', 'max_budget_usd: must be an amount of dollars above 0'],
  ['max_budget_usd: much', 'max_budget_usd: must be an amount of dollars above 0'],
  ['mcp_config: ""', 'mcp_config'],
  [
    'permission_mode: bypassPermissions',
    'permission_mode: must be one of default, acceptEdits, dontAsk, plan, bypass',
  ],
])('%s is refused with a sentence', (members, sentence) => {
  expect(claude(members)).toContain(sentence);
});
