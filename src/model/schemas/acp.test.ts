import { expect, test } from 'vitest';
import { configForm, configLayerOf } from './config.ts';
import { problemSentence } from './problem.ts';
import { readForm } from './yaml-document.ts';

function driver(text: string): unknown {
  const form = readForm(configForm, `drivers: { mine: { type: acp, ${text} } }`, 'tutti.yaml');
  return form.ok ? configLayerOf(form.value).drivers?.['mine'] : form.error.map(problemSentence).join('\n');
}

test('a known agent needs only its name; what the setup does not say is left to the role', () => {
  expect(driver('preset: gemini')).toEqual({
    type: 'acp',
    agent: { preset: 'gemini' },
    models: {},
    rules: {},
    quietMs: 600_000,
  });
});

test('everything that can be said about an agent arrives', () => {
  expect(
    driver(
      'preset: opencode, program: ./oc, models: {low: a/b}, mode: plan, quiet_timeout: 90s, permissions: {edit: allow, execute: ask}',
    ),
  ).toEqual({
    type: 'acp',
    agent: { preset: 'opencode', program: './oc' },
    models: { low: 'a/b' },
    mode: 'plan',
    rules: { edit: 'allow', execute: 'ask' },
    quietMs: 90_000,
  });
  expect(driver('command: [my-agent, --acp], permissions: allow')).toMatchObject({
    agent: { command: ['my-agent', '--acp'] },
    rules: { read: 'allow', execute: 'allow', other: 'allow' },
  });
});

test('an agent is named in one way, and rules are rules', () => {
  expect(driver('mode: x')).toContain('"command": one of the two');
  expect(driver('preset: gemini, command: [x]')).toContain('one of the two');
  expect(driver('command: [x], program: y')).toContain('is wanted with "program"');
  expect(driver('preset: gemini, permissions: maybe')).toContain('must be one of allow, deny, ask');
  expect(driver('preset: gemini, permissions: {edit: maybe}')).toContain('allow, deny, ask');
  expect(driver('preset: gemini, cassette: x')).toContain('is not for a driver of type acp');
});
