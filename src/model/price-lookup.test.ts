import { expect, test } from 'vitest';
import { modelOf, priceOf } from './price-lookup.ts';
import type { ModelPrice } from './price.ts';

const price: ModelPrice = { input: 3, output: 15, cachedInput: 0.3, asOf: '2026-11-01' };

test('the model of a tier is the one that the driver names for it', () => {
  const drivers = {
    claude: { type: 'claude', program: 'claude', allowedTools: [], models: { high: 'big' } },
    sh: { type: 'command', command: ['sh'], input: 'file' },
    tape: { type: 'record', driver: 'claude', cassette: 'c.yaml' },
    lost: { type: 'record', driver: 'gone', cassette: 'c.yaml' },
    loop: { type: 'record', driver: 'loop', cassette: 'c.yaml' },
  } as const;
  expect(modelOf({ drivers }, 'claude', 'high')).toBe('big');
  expect(modelOf({ drivers }, 'claude', 'low')).toBeNull();
  expect(modelOf({ drivers }, 'sh', 'high')).toBeNull();
  expect(modelOf({ drivers }, 'constructor', 'high')).toBeNull();
  expect(['tape', 'lost', 'loop'].map((name) => modelOf({ drivers }, name, 'high'))).toEqual([
    'big',
    null,
    null,
  ]);
});

test('a price is found under the exact name of the model, and nowhere else', () => {
  expect(priceOf({ prices: { big: price } }, 'big')).toBe(price);
  expect(priceOf({ prices: { big: price } }, 'small')).toBeNull();
  expect(priceOf({ prices: { big: price } }, 'constructor')).toBeNull();
  expect(priceOf({ prices: { big: price } }, null)).toBeNull();
});
