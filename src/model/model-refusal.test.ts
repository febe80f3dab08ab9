import { expect, test } from 'vitest';
import { describeModelRefusal, modelRefusalIn, modelSetting, wordsOfCli } from './model-refusal.ts';

test.each([
  ['Your credit balance is too low to access the API', 'unpaid'],
  ['HTTP 402 Payment Required', 'unpaid'],
  ['Your billing is not active, check your plan', 'unpaid'],
  ['The model `gpt-9` does not exist or you do not have access to it', 'unknown'],
  ['API Error: 404 {"type":"not_found_error","message":"model: claude-9"}', 'unknown'],
  ['Unknown model: claude-9', 'unknown'],
  ['unexpected status 404 Not Found', 'not-found'],
  ['API Error: 401 invalid x-api-key', null],
  ['Overloaded', null],
  ['1402 tests failed', null],
] as const)('%j is read as %s', (text, refusal) => {
  expect(modelRefusalIn(text)).toBe(refusal);
});

test('each refusal of a model says what a person changes', () => {
  const refused = { driver: 'claude', model: 'opus-9', setting: modelSetting('claude', 'high') };
  expect(describeModelRefusal('unpaid', refused)).toEqual({
    what: 'the account cannot pay for the model',
    fix: 'add credit to the account of the key, or use another key or sign-in for claude',
  });
  expect(describeModelRefusal('unknown', refused)).toEqual({
    what: 'the model opus-9 is not known',
    fix: 'name another one: drivers: {claude: {models: {high: MODEL}}} in tutti.yaml (tutti help drivers)',
  });
  expect(describeModelRefusal('unknown', { ...refused, model: null }).what).toBe('the model is not known');
  expect(describeModelRefusal('not-found', refused).fix).toContain('the base URL of claude');
});

test('the setting of a driver under its own name is its setup', () => {
  expect(modelSetting('my-claude', 'low')).toBe('the setup of driver my-claude in tutti.yaml');
});

test('the words of a CLI are kept in the evidence of its failure', () => {
  expect(wordsOfCli({ evidence: { said: 'no such model' } })).toBe('no such model');
  expect(wordsOfCli({ evidence: { said: '' } })).toBeNull();
  expect(wordsOfCli({ evidence: 'text' })).toBeNull();
  expect(wordsOfCli({})).toBeNull();
});
