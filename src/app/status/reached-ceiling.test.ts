import { expect, test } from 'vitest';
import { reachedCeiling } from './reached-ceiling.ts';

const spent = { launches: 2, tokens: 80, costUsd: 0.5, unpriced: 0 };

test.each([
  ['launches that are all used', { launches: 2, tokens: 100 }, '--max-launches'],
  ['tokens that are all used', { tokens: 80, costUsd: 1 }, '--max-tokens'],
  ['tokens that a turn was expected to exceed', { launches: 3, tokens: 100 }, '--max-tokens'],
  ['money that a turn was expected to exceed', { tokens: 1000, costUsd: 0.6 }, '--max-cost'],
  ['time that is over, which no option raises', { tokens: 100, wallMs: 1000 }, null],
  [
    'time that is left beside tokens that a turn was expected to exceed',
    { tokens: 100, wallMs: 1001 },
    '--max-tokens',
  ],
  ['wall time that is over beside tokens that are used', { tokens: 80, wallMs: 1000 }, '--max-tokens'],
  ['no tokens at all', { tokens: 0, costUsd: 1 }, '--max-tokens'],
  ['no ceiling at all', {}, undefined],
])('the option that continues a run is found for %s', (_, limits, option) => {
  const budget = { limits: { depth: 3, ...limits }, spent, workMs: 1000 };
  expect(reachedCeiling(budget)?.option).toBe(option);
});

test('a run that was at work until its ceiling of time names the member of its flow file', () => {
  const budget = { limits: { depth: 3, wallMs: 90_000 }, spent, workMs: 90_000 };
  expect(reachedCeiling(budget)).toEqual({ member: 'wall', option: null, now: '1m30s' });
});
