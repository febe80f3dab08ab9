import { expect, test } from 'vitest';
import { sumOf } from './price-sum.ts';
import { unknownUsage } from './usage.ts';

const told = { inputTokens: 10, outputTokens: 1, costUsd: 0.5 };

test('what is known is added up, and what is not is counted', () => {
  const computed = { inputTokens: 20, outputTokens: 2, costUsd: 0.25, pricedAsOf: '2026-11-01' };
  const tokensOnly = { inputTokens: 5, outputTokens: null, costUsd: null };
  expect(sumOf([told, computed, tokensOnly, unknownUsage, null])).toEqual({
    turns: 4,
    running: 1,
    inputTokens: 35,
    outputTokens: 3,
    withoutTokens: 2,
    costUsd: 0.75,
    withoutPrice: 2,
    computedUsd: 0.25,
    priceDates: ['2026-11-01'],
  });
});

test('nothing known is unknown and not zero; a known zero is zero', () => {
  expect(sumOf([unknownUsage])).toMatchObject({ inputTokens: null, costUsd: null, withoutPrice: 1 });
  expect(sumOf([])).toMatchObject({ turns: 0, inputTokens: null, costUsd: null, withoutPrice: 0 });
  expect(sumOf([{ ...told, costUsd: 0 }])).toMatchObject({ costUsd: 0, withoutPrice: 0 });
});

test('each day of a price list is named once, the oldest first', () => {
  const of = (pricedAsOf: string) => ({ ...told, pricedAsOf });
  expect(sumOf([of('2026-11-01'), of('2026-01-01'), of('2026-11-01')]).priceDates).toEqual([
    '2026-01-01',
    '2026-11-01',
  ]);
});

test('many small costs add up to a number that people would write', () => {
  expect(sumOf([0.1, 0.2].map((costUsd) => ({ ...told, costUsd }))).costUsd).toBe(0.3);
});
