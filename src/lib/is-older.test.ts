import { expect, test } from 'vitest';
import { isOlder } from './is-older.ts';

test.each([
  ['1.2.3', '1.2.3', false],
  ['1.2.2', '1.2.3', true],
  ['1.10.0', '1.9.9', false],
  ['0.61', '0.61.0', false],
  ['0.61', '0.61.1', true],
  ['2.0.0', '10.0.0', true],
  ['1.2.3', '1.2', false],
])('is %s older than %s: %s', (version, than, older) => {
  expect(isOlder(version, than)).toBe(older);
});
