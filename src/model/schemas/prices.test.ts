import { expect, test } from 'vitest';
import { configForm, configLayerOf } from './config.ts';
import { problemSentence } from './problem.ts';
import { readForm } from './yaml-document.ts';

function layer(text: string) {
  const form = readForm(configForm, text, 'tutti.yaml');
  return form.ok ? configLayerOf(form.value) : form.error.map(problemSentence);
}

test('each price carries the day on which it was looked up', () => {
  const text = `prices:
  as_of: 2026-11-01
  models:
    big: {input: 3, output: 15, cached_input: 0.3}
    constructor: {input: 0, output: 0}
`;
  expect(layer(text)).toEqual({
    prices: {
      big: { input: 3, output: 15, cachedInput: 0.3, asOf: '2026-11-01' },
      constructor: { input: 0, output: 0, cachedInput: null, asOf: '2026-11-01' },
    },
  });
});

test.each([
  ['prices: {models: {}}', 'prices.as_of: is missing'],
  [
    'prices: {as_of: yesterday, models: {}}',
    'as_of: must be the day on which the prices were looked up, such as 2026-11-01',
  ],
  ['prices: {as_of: 2026-02-30, models: {}}', 'as_of: must be the day'],
  ['prices: {as_of: 2026-11-01}', 'prices.models: is missing'],
  ['prices: {as_of: 2026-11-01, models: {big: {input: 3}}}', 'big.output: is missing'],
  [
    'prices: {as_of: 2026-11-01, models: {big: {input: -1, output: 1}}}',
    'must be USD for a million tokens, 0 or more',
  ],
  ['prices: {as_of: 2026-11-01, models: {big: {input: .inf, output: 1}}}', 'must be USD'],
  ['prices: {as_of: 2026-11-01, models: {big: {in: 3, output: 1}}}', 'unknown member \\"in\\"'],
])('a price list with a mistake is refused: %s', (text, sentence) => {
  expect(JSON.stringify(layer(text))).toContain(sentence);
});
