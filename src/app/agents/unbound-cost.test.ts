import { expect, test } from 'vitest';
import { unboundCost } from './unbound-cost.ts';

const agent = { name: 'coder', driver: 'cx', tier: 'high' } as const;
const priceless = {
  drivers: { cx: { type: 'claude', program: 'x', allowedTools: [], models: { high: 'big' } } },
  prices: {},
} as const;
const priced = {
  ...priceless,
  prices: { big: { input: 1, output: 1, cachedInput: null, asOf: '2026-11-01' } },
};
const costly = { costUsd: 5 };

test('a ceiling of money holds an agent whose CLI tells its cost, or its tokens where their price is known', () => {
  expect(unboundCost(costly, agent, { tellsUsage: 'cost' }, priceless)).toBeNull();
  expect(unboundCost(costly, agent, { tellsUsage: 'tokens' }, priced)).toBeNull();
});

test('a ceiling of money that would hold nothing is refused with the reason', () => {
  expect(unboundCost(costly, agent, { tellsUsage: 'tokens' }, priceless)).toMatchObject({
    outcome: 'USAGE',
    message:
      "a budget of $5.00 cannot hold agent 'coder': driver cx reports no cost, and model big has no price in tutti.yaml",
  });
  expect(unboundCost(costly, { ...agent, tier: 'low' }, { tellsUsage: 'tokens' }, priced)?.message).toContain(
    'no model is named for tier low',
  );
  // A price is of no use to tokens that nobody tells.
  expect(unboundCost(costly, agent, {}, priced)?.message).toContain(
    'driver cx reports neither cost nor tokens',
  );
});

test('with another ceiling beside it, or none at all, nothing is refused', () => {
  expect(unboundCost({ ...costly, launches: 3 }, agent, {}, priceless)).toBeNull();
  expect(unboundCost({ ...costly, tokens: 1000 }, agent, {}, priceless)).toBeNull();
  expect(unboundCost({}, agent, {}, priceless)).toBeNull();
});

test('the price that counts is that of the model that the agent’s own file names', () => {
  const own = { ...agent, tier: 'low', model: 'opus' } as const;
  expect(unboundCost(costly, own, { tellsUsage: 'tokens' }, priced)?.message).toContain(
    'model opus has no price',
  );
  const opus = { ...priced, prices: { opus: priced.prices.big } };
  expect(unboundCost(costly, own, { tellsUsage: 'tokens' }, opus)).toBeNull();
});
