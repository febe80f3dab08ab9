import { expect, test } from 'vitest';
import { endSentence, withoutFullStop } from './sentence.ts';

test.each([
  ['BLOCKED it is', 'BLOCKED it is.'],
  ['T003 proves nothing.\n', 'T003 proves nothing.'],
  ['Why?', 'Why?'],
  ['it says "no."', 'it says "no."'],
  ['It lacks tests:', 'It lacks tests.'],
  ['', ''],
])('%j ends as the sentence %j', (text, sentence) => {
  expect(endSentence(text)).toBe(sentence);
});

test.each([
  ['T003: say how zero is shown.', 'T003: say how zero is shown'],
  ['and so on...', 'and so on...'],
  ['no stop', 'no stop'],
])('%j in a list is %j', (text, part) => {
  expect(withoutFullStop(text)).toBe(part);
});
