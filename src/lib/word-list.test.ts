import { expect, test } from 'vitest';
import { listWords } from './word-list.ts';

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b or c'],
])('the words %j are listed as "%s"', (words, text) => {
  expect(listWords(words, 'or')).toBe(text);
});
