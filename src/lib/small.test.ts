import { afterEach, expect, test } from 'vitest';
import { getKnown } from './get-known.ts';
import { probe, setProbe } from './probe.ts';
import { err, ok } from './result.ts';
import { unreachable } from './unreachable.ts';

afterEach(() => {
  setProbe(null);
});

test('a boundary is silent unless somebody listens', () => {
  const seen: string[] = [];
  probe('a');
  setProbe((point) => seen.push(point));
  probe('b');
  setProbe(null);
  probe('c');
  expect(seen).toEqual(['b']);
});

test('a result says which of the two it is', () => {
  expect(ok(1)).toEqual({ ok: true, value: 1 });
  expect(err('no')).toEqual({ ok: false, error: 'no' });
});

test('what the compiler believed impossible is named when it happens', () => {
  expect(() => unreachable({ odd: 1 } as never)).toThrow('unreachable: {"odd":1}');
});

test('what a map must have is given, and its absence is an error and not a value', () => {
  const map = new Map([['a', 0]]);
  expect(getKnown(map, 'a')).toBe(0);
  expect(() => getKnown(map, 'b')).toThrow('not there: b');
});
