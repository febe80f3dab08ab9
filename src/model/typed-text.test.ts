import { expect, test } from 'vitest';
import { beginsLikeCommand, typedDigest, typedText, untypable } from './typed-text.ts';

test('line endings become those of a terminal program; a last backslash cannot swallow the Enter', () => {
  expect(typedText('a\r\nb\rc\n')).toBe('a\nb\nc\n');
  expect(typedText('ends with \\')).toBe('ends with \\ ');
  expect(typedText('`id` $(id); "x" \t 🎉')).toBe('`id` $(id); "x" \t 🎉');
});

test.each([
  ['\u001b[201~rm', 'U+001B at position 0'],
  ['a\u0000', 'U+0000 at position 1'],
  ['ab\u009b', 'U+009B at position 2'],
  [' \n\t', 'nothing to type'],
])('%j cannot be typed, in words', (text, sentence) => {
  expect(untypable(text)).toContain(sentence);
});

test('everything else can be typed, also what a shell would run', () => {
  expect(untypable('a\tb\r\nc; $(id) 日本 "\'`')).toBeNull();
});

test('a first character that interfaces take for a command is known, blanks before it or not', () => {
  expect(['!ls', '  /clear', '?', '#x', '&x', '@x', '\\x'].every(beginsLikeCommand)).toBe(true);
  expect(['ls!', 'a/b', '', '; ls'].some(beginsLikeCommand)).toBe(false);
});

test('what was submitted is recognised by its text, not by its blanks at the ends or how its tabs are shown', () => {
  expect(typedDigest('a\tb \r\n')).toBe(typedDigest('a    b'));
  expect(typedDigest('x\\')).toBe(typedDigest('x\\'));
  expect(typedDigest('a b')).not.toBe(typedDigest('a  b'));
});
