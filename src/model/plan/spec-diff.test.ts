import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { specDiff } from './spec-diff.ts';

const lines = (...list: readonly string[]) => list.join('\n');

test('the same text has no difference', () => {
  expect(specDiff('a\nb', 'a\nb')).toBe('');
});

test('a line that changed is shown as it was and as it is, with a little around it', () => {
  expect(
    specDiff(lines('1', '2', '3', 'old', '4', '5', '6'), lines('1', '2', '3', 'new', '4', '5', '6')),
  ).toBe(lines('  2', '  3', '- old', '+ new', '  4', '  5'));
});

test('lines that came or went are shown alone', () => {
  expect(specDiff('a\nb', 'a\nx\nb')).toBe(lines('  a', '+ x', '  b'));
  expect(specDiff('a\nx\nb', 'a\nb')).toBe(lines('  a', '- x', '  b'));
  expect(specDiff('', 'a')).toBe(lines('- ', '+ a'));
});

test('far apart changes are told without what lies between', () => {
  const middle = Array.from({ length: 20 }, (_, index) => `same ${index}`);
  const diff = specDiff(lines('a', ...middle, 'b'), lines('A', ...middle, 'B'));
  expect(diff).toBe(
    lines('- a', '+ A', '  same 0', '  same 1', '  …', '  same 18', '  same 19', '- b', '+ B'),
  );
});

test('two long texts with nothing in common are not compared line by line, and what is too long is cut', () => {
  const [a, b] = ['a', 'b'].map((word) =>
    lines(...Array.from({ length: 2_000 }, (_, index) => `${word}${index} xxxxxxx`)),
  );
  const diff = specDiff(a ?? '', b ?? '');
  expect(diff.startsWith('- a0')).toBe(true);
  expect(diff.endsWith('\n…')).toBe(true);
});

test('whatever changed, the new lines can be read off the difference', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }).map((list) => list.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = specDiff(before, after).split('\n');
      const count = (mark: string) => diff.filter((line) => line.startsWith(mark)).length;
      expect(count('+') - count('-')).toBe(after.split('\n').length - before.split('\n').length);
    }),
  );
});
