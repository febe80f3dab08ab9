import { expect, test } from 'vitest';
import { configForm, configLayerOf } from './config.ts';
import { check, issueSentence } from './issue.ts';

function driver(form: object) {
  const checked = check(configForm, { drivers: { codex: { type: 'codex', ...form } } });
  if (!checked.ok) return checked.error.map(issueSentence).join('; ');
  return configLayerOf(checked.value).drivers?.['codex'];
}

test('a Codex driver needs nothing said about it', () => {
  expect(driver({})).toEqual({
    type: 'codex',
    program: 'codex',
    models: {},
    config: {},
  });
});

test('what an operator says about it is taken as it is', () => {
  const config = {
    model_provider: 'mine',
    'model_providers.mine': { base_url: 'http://x', on: true, n: [1] },
  };
  expect(driver({ program: './codex', sandbox: 'read-only', models: { low: 'small' }, config })).toEqual({
    type: 'codex',
    program: './codex',
    sandbox: 'read-only',
    models: { low: 'small' },
    config,
  });
  expect(driver({ sandbox: 'danger-full-access' })).toMatchObject({ sandbox: 'danger-full-access' });
});

test.each<[string, object]>([
  ['one of read-only, workspace-write, danger-full-access', { sandbox: 'none' }],
  ['a text, a number, true or false, a list or a mapping', { config: { a: null } }],
  ['settings by names with dots between them', { config: { 'a=b': 1 } }],
  ['a mapping of settings', { config: [] }],
  ['is not for a driver of type codex', { permission_mode: 'plan' }],
  ['is not for a driver of type codex, which cannot ask a person; use claude or acp', { permissions: 'ask' }],
])('a mistake is told: %s', (sentence, form) => {
  expect(driver(form)).toContain(sentence);
});
