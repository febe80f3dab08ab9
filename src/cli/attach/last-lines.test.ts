import { expect, test } from 'vitest';
import { lastLines } from './last-lines.ts';

function written(count: number | null, lines: readonly string[], note?: (skipped: number) => string) {
  const pieces: string[] = [];
  const last = lastLines(count, (text) => pieces.push(text), note);
  for (const line of lines) last.add(line);
  last.flush();
  last.add('later');
  last.flush();
  last.flush();
  return pieces;
}

const numbers = Array.from({ length: 1000 }, (_, n) => String(n));

test('all lines, in pieces', () => {
  expect(written(null, ['a', '', 'b'])).toEqual(['a\n\nb\n', 'later\n']);
  const long = written(
    null,
    Array.from({ length: 10 }, () => 'x'.repeat(20_000)),
  );
  expect(long).toHaveLength(11);
  expect(long.join('')).toBe(`${'x'.repeat(20_000)}\n`.repeat(10).concat('later\n'));
});

test('only the last at first, and then everything', () => {
  expect(written(3, numbers)).toEqual(['997\n998\n999\n', 'later\n']);
  expect(written(3, ['a'])).toEqual(['a\n', 'later\n']);
  expect(written(5, [])).toEqual(['later\n']);
});

test('what was left out is mentioned', () => {
  const note = (skipped: number): string => `${skipped} before`;
  expect(written(3, numbers, note).join('')).toBe('997 before\n997\n998\n999\nlater\n');
  expect(written(3, ['a'], note).join('')).toBe('a\nlater\n');
});
