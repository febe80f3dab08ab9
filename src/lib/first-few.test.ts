import { expect, test } from 'vitest';
import { firstFew } from './first-few.ts';

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a, b'],
  [['a', 'b', 'c', 'd'], 'a, b and 2 more'],
])('of %j two are named', (names, text) => {
  expect(firstFew(names, 2)).toBe(text);
});
