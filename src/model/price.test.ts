import { expect, test } from 'vitest';
import { priced, type ModelPrice } from './price.ts';
import { unknownUsage } from './usage.ts';

const price: ModelPrice = { input: 3, output: 15, cachedInput: 0.3, asOf: '2026-11-01' };
const tokens = { inputTokens: 1_000_000, outputTokens: 100_000, costUsd: null };

test('tokens whose price is known are priced, and say by which list', () => {
  expect(priced(tokens, price)).toEqual({ ...tokens, costUsd: 4.5, pricedAsOf: '2026-11-01' });
});

test('what came out of the cache has its own price, and the full one where none is told', () => {
  const cached = { ...tokens, cachedInputTokens: 500_000 };
  expect(priced(cached, price).costUsd).toBeCloseTo(1.5 + 0.15 + 1.5);
  expect(priced(cached, { ...price, cachedInput: null }).costUsd).toBeCloseTo(4.5);
  // A CLI that counts wrongly makes nothing cheaper than the cache.
  expect(priced({ ...tokens, cachedInputTokens: 9_000_000 }, price).costUsd).toBeCloseTo(0.3 + 1.5);
});

test('what the CLI told itself stands, and what nobody knows stays unknown', () => {
  expect(priced({ ...tokens, costUsd: 0.01 }, price)).toEqual({ ...tokens, costUsd: 0.01 });
  expect(priced(tokens, null)).toEqual(tokens);
  expect(priced(unknownUsage, price)).toEqual(unknownUsage);
  expect(priced({ ...tokens, outputTokens: null }, price).costUsd).toBeNull();
});

test('a model that costs nothing costs nothing, which is not the same as unknown', () => {
  expect(priced(tokens, { ...price, input: 0, output: 0 }).costUsd).toBe(0);
});
