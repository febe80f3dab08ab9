import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText, visibleLine, visibleWord } from './visible-text.ts';

test.each([
  ['make', 'make'],
  ['echo hi # x', "'echo hi # x'"],
  [String.raw`a\nb`, String.raw`'a\nb'`],
  ['echo hi # x\ntouch y', String.raw`$'echo hi # x\ntouch y'`],
  ["it's\tx\r", String.raw`$'it\'s\tx\r'`],
  [String.raw`\n` + '\n', String.raw`$'\\n\n'`],
  ['\u001B[2Jx', String.raw`$'\x1B[2Jx'`],
  ['a\u202Eb\u00A0c\u2028', String.raw`$'a\u202Eb\u00A0c\u2028'`],
  ['x\u{E0041}', String.raw`$'x\U000E0041'`],
  ['\u3164', String.raw`$'\u3164'`],
  ['Grüße, 世界', "'Grüße, 世界'"],
  [`a${' '.repeat(8)}b`, `'a${' '.repeat(8)}b'`],
  [`a${' '.repeat(9)}b`, `$'a${String.raw`\x20`.repeat(9)}b'`],
])('the word %j is shown as %s', (text, shown) => {
  expect(visibleWord(text)).toBe(shown);
});

test('a shell reads a word as the text that it shows, and no two texts look the same', () => {
  const texts = fc.sample(
    fc
      .array(fc.constantFrom('a', ' ', '\n', '\\', "'", '$', 'n', '\t', '\u001B', 'x41', ' '.repeat(9)))
      .map((parts) => parts.join('')),
    { numRuns: 300, seed: 1 },
  );
  const words = texts.map((text) => `printf '%s\\0' ${visibleWord(text)}`).join('\n');
  expect(execFileSync('bash', ['-c', words], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(texts);
});

test('nothing that a terminal hides or obeys is left in what is shown', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const shown of [visibleWord(text), visibleLine(text)])
        expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    }),
    { numRuns: 500 },
  );
});

test('a line that shows what it is stays as it is', () => {
  expect(visibleLine('npm run test -- --all')).toBe('npm run test -- --all');
  expect(visibleLine('npm test\nrm x')).toBe(String.raw`$'npm test\nrm x'`);
  expect(visibleLine(' x')).toBe("$' x'");
  expect(visibleLine("$'x'")).toBe(String.raw`$'$\'x\''`);
});

test('what a person decides about says how much of it is not shown', () => {
  expect(cutText('a'.repeat(1505), 5, visibleLine)).toBe('aaaaa… 1,500 more characters');
  expect([cutText('a b', 5, visibleWord), cutText('a bcdefg', 5, visibleWord)]).toEqual([
    "'a b'",
    "'a bcd'… 3 more characters",
  ]);
});
