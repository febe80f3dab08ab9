import { expect, test } from 'vitest';
import { amount } from './amount.ts';
import { parsed } from './json.ts';

test.each([
  ['0', 0],
  ['12.5', 12.5],
  ['9007199254740991', 9007199254740991],
  ['1e400', null],
  ['-1e400', null],
  ['1e308', null],
  ['-1', null],
  ['"7"', null],
  ['null', null],
])('of %s an amount is %s', (text, found) => {
  expect(amount(parsed(text))).toBe(found);
});

test('what is not there is no amount', () => {
  expect(amount(undefined)).toBeNull();
});
