import { expect, test } from 'vitest';
import { dollars, microDollars } from './dollars.ts';

test.each([
  [0, '$0.00'],
  [0.000_01, 'less than $0.0001'],
  [0.0021, '$0.0021'],
  [0.5, '$0.50'],
  [0.1904, '$0.1904'],
  [0.999_99, '$1.0000'],
  [2.4, '$2.40'],
  [12.3456, '$12.35'],
])('%d dollars are %s', (value, text) => {
  expect(dollars(value)).toBe(text);
});

test('a sum for programs has no digits of binary fractions', () => {
  expect(microDollars(0.01 + 0.02 + 0.02 - 1e-17)).toBe(0.05);
  expect(microDollars(0.000_001_4)).toBe(0.000_001);
});
