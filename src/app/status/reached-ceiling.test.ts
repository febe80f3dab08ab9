import { expect, test } from 'vitest';
import { reachedCeiling } from './reached-ceiling.ts';

const spent = { launches: 2, tokens: 80, costUsd: 0.5, unpriced: 0 };

test.each([
  ['launches that are all used', { launches: 2, tokens: 100 }, '--max-launches'],
  ['tokens that are all used', { tokens: 80, costUsd: 1 }, '--max-tokens'],
  ['tokens that a turn was expected to exceed', { launches: 3, tokens: 100 }, '--max-tokens'],
  ['money that a turn was expected to exceed', { tokens: 1000, costUsd: 0.6 }, '--max-cost'],
  [
    'wall time that is over, which counts again from the next start',
    { tokens: 100, wallMs: 1000 },
    undefined,
  ],
  ['wall time that is over beside tokens that are used', { tokens: 80, wallMs: 1000 }, '--max-tokens'],
  ['no ceiling at all', {}, undefined],
])('the option that continues a run is found for %s', (_, limits, option) => {
  const budget = { limits: { depth: 3, ...limits }, spent, startedAt: 0 };
  expect(reachedCeiling(budget, 1000)?.option).toBe(option);
});
