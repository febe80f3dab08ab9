import { expect, test } from 'vitest';
import { alignRows, displayWidth, fit, pad, wrap } from './width.ts';

test.for([
  ['plain', 5],
  ['●◐○✔✕', 5],
  ['日本語', 6],
  ['e\u0301', 1],
  ['👍', 2],
  ['a\u200Bb', 2],
  ['', 0],
] as const)('%s takes %i cells', ([text, cells]) => {
  expect(displayWidth(text)).toBe(cells);
});

test('what is cut never takes more cells than there are', () => {
  for (const text of ['a long line of text', '日本語のとても長い行', '👍👍👍👍👍👍', 'x']) {
    for (let cells = 0; cells < 14; cells += 1)
      expect(displayWidth(fit(text, cells))).toBeLessThanOrEqual(cells);
  }
  expect(fit('short', 5)).toBe('short');
  expect(fit('shorter', 5)).toBe('shor…');
});

test('a text that is wrapped is whole, and no line is too wide', () => {
  for (const text of ['a long line of text', '日本語のとても長い行', '👍👍👍👍👍👍', 'x', '']) {
    for (let cells = 4; cells < 14; cells += 1) {
      const lines = wrap(text, cells, 2);
      expect(lines.every((line) => line.startsWith('  ') && displayWidth(line) <= cells)).toBe(true);
      expect(lines.map((line) => line.slice(2)).join('')).toBe(text);
    }
  }
});

test('a text is wrapped between words, and within one only where it does not fit', () => {
  expect(wrap('May they land with it?', 12, 2)).toEqual(['  May they ', '  land with ', '  it?']);
  expect(wrap('a incomprehensible b', 9, 2)).toEqual(['  a ', '  incompr', '  ehensib', '  le b']);
});

test('padding counts cells, not characters', () => {
  expect(pad('日本', 6)).toBe('日本  ');
  expect(pad('toolong', 3)).toBe('toolong');
});

test('columns stay aligned whatever the length of the cells, in cells of a terminal', () => {
  expect(
    alignRows([
      ['T1', 'done', 'a'],
      ['a-very-long-id', 'failed', 'b'],
      ['日本', 'ready', ''],
    ]),
  ).toEqual(['T1              done    a', 'a-very-long-id  failed  b', '日本            ready']);
});
