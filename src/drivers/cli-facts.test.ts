import { expect, test } from 'vitest';
import { findModelSetting, undeclaredDrivers } from './cli-facts.ts';

test('another model is named where the one in use comes from: the tier or the file of the agent', () => {
  const config = { drivers: undeclaredDrivers };
  const agent = { agent: 'coder', driver: 'claude', tier: 'high' } as const;
  const ofTier = 'drivers: {claude: {models: {high: MODEL}}} in tutti.yaml';
  expect(findModelSetting(config, agent)).toBe(ofTier);
  expect(findModelSetting(config, { ...agent, model: 'gpt-5.5' })).toBe(ofTier);
  const ofFile = '`model:` in the file of agent coder, then resume with --refresh';
  expect(findModelSetting(config, { ...agent, model: 'opus' })).toBe(ofFile);
});
