import { expect, test } from 'vitest';
import type { Key } from '../context.ts';
import { emptyLine, type InputLine, press, shownLine } from './input-line.ts';

/** Keys one after the other; `|` stands where the cursor is. */
function typed(...keys: readonly (Key | string)[]): string {
  let line: InputLine = emptyLine;
  for (const key of keys) {
    const pressed = press(line, typeof key === 'string' ? { sequence: key } : key);
    if (pressed.at === 'sent') return `sent ${JSON.stringify(pressed.text)}`;
    if (pressed.at === 'left') return `left by ${pressed.by}`;
    line = pressed.line;
  }
  return `${line.before}|${line.after}`;
}

const named = (name: string): Key => ({ name, sequence: '\u001B[X' });
const control = (name: string): Key => ({ name, ctrl: true, sequence: '\u0001' });
const [left, right, enter, back] = [named('left'), named('right'), { name: 'return' }, named('backspace')];

test.each<readonly [string, readonly (Key | string)[], string]>([
  ['letters', ['a', 'b'], 'ab|'],
  ['in the middle', ['a', 'c', left, 'b'], 'ab|c'],
  ['to both ends', ['a', 'b', named('home'), '1', named('end'), '2'], '1ab2|'],
  ['as in a shell', ['a', 'b', control('a'), '1', control('e'), '2'], '1ab2|'],
  ['back and delete', ['a', 'b', 'c', left, back, named('delete')], 'a|'],
  ['nothing to delete', [back, named('delete'), left, right], '|'],
  ['forth again', ['a', 'b', left, left, right], 'a|b'],
  ['a family is one character', ['x', '👩‍👩‍👧', back], 'x|'],
  ['and is stepped over at once', ['👩‍👩‍👧', left, right, 'x'], '👩‍👩‍👧x|'],
  ['a word', ['one two  ', control('w')], 'one |'],
  ['everything before', ['one', left, control('u')], '|e'],
  ['everything after', ['one', left, control('k')], 'on|'],
  ['Ctrl-D on letters', ['ab', left, control('d')], 'a|'],
  [
    'other keys',
    [
      'a',
      control('x'),
      { name: 'b', meta: true, sequence: '\u001Bb' },
      named('up'),
      { name: 'f1', sequence: '\u001BOP' },
    ],
    'a|',
  ],
  ['Enter', ['hello', enter], 'sent "hello"'],
  ['Enter in the middle', ['hello', left, enter], 'sent "hello"'],
  ['Enter on nothing', [' ', enter], ' |'],
  [
    'a paste with newlines',
    [named('paste-start'), 'a', enter, 'b', named('paste-end'), enter],
    'sent "a\\nb"',
  ],
  ['Ctrl-C', ['a', control('c')], 'left by Ctrl-C'],
  ['Ctrl-D on nothing', [control('d')], 'left by Ctrl-D'],
])('%s', (_name, keys, expected) => {
  expect(typed(...keys)).toBe(expected);
});

test('what is too long for a message is not taken', () => {
  const pressed = press({ ...emptyLine, before: 'x'.repeat(64 * 1024) }, { sequence: 'y' });
  expect(pressed).toMatchObject({ at: 'edited', line: { before: 'x'.repeat(64 * 1024) } });
});

test.each<readonly [string, string, number, string, number]>([
  ['hello', '', 10, 'hello', 5],
  ['he', 'llo', 10, 'hello', 2],
  ['a long line', '', 6, ' line', 5],
  ['', 'a long line', 6, 'a long', 0],
  ['世界世界', '', 6, '世界', 4],
  ['a\nb\tc', '', 10, 'a⏎b c', 5],
])('around the cursor: %j and %j in %i cells', (before, after, cells, text, cursor) => {
  expect(shownLine({ before, after, pasting: false }, cells)).toEqual({ text, cursor });
});
