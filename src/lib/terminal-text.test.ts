import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneLine, terminalText } from './terminal-text.ts';

const [esc, bell] = ['\u001B', '\u0007'];
const pieces = [
  esc,
  `${esc}[`,
  `${esc}]`,
  `${esc}P`,
  `${esc}\\`,
  '\u009B',
  '\u009D',
  bell,
  '31m',
  '0;title',
  'K',
  '?25l',
  '\u202E',
  '\u2066',
  '\r',
  '\b',
  '\n',
  '\t',
  'text',
  'Grüße',
];
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);

function isForbidden(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  if (char === '\n' || char === '\t') return false;
  const control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
  const bidirectional =
    code === 0x61c ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069);
  return control || bidirectional;
}

test('no escape, no control character and no bidirectional override ever reaches the terminal', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(Array.from(terminalText(text)).filter(isForbidden)).toEqual([]);
    }),
    { numRuns: 20_000 },
  );
});

test.each([
  [`${esc}[31mred${esc}[0m`, 'red'],
  [`${esc}]0;my title${bell}shown`, 'shown'],
  [`${esc}]8;;http://x${esc}\\link${esc}]8;;${esc}\\`, 'link'],
  [`${esc}Pdevice string${esc}\\after`, 'after'],
  ['\u009B2Jcleared', 'cleared'],
  [`${esc}(Bcharset`, 'charset'],
  ['over\rwritten', 'overwritten'],
  ['user\u202Etxt.exe', 'usertxt.exe'],
  [`cut off ${esc}[`, 'cut off '],
])('%j is shown as %j', (text, shown) => {
  expect(terminalText(text)).toBe(shown);
});

test('ordinary text passes unchanged', () => {
  const text = 'Grüße, 世界 👩‍🚀\n\tund mehr';
  expect(terminalText(text)).toBe(text);
});

test('one line is one line, and not too wide', () => {
  expect(oneLine('  a\n\n b\tc  ')).toBe('a b c');
  expect(oneLine('x'.repeat(300))).toHaveLength(200);
  expect(oneLine('abcdef', 4)).toBe('abc…');
  expect(oneLine('abcd', 4)).toBe('abcd');
});
