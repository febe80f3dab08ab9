import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonical, isObject, parsed, plain, recorded, textMember, type Json } from './json.ts';

const anyJson = fc.jsonValue() as fc.Arbitrary<Json>;

test('a value and what the store gives back are the same', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      expect(plain(plain(value))).toEqual(plain(value));
    }),
  );
});

test('what JSON cannot hold becomes null, as it would after a replay', () => {
  expect(plain(undefined)).toBeNull();
  expect(plain(() => 1)).toBeNull();
  expect(plain({ a: undefined, b: Number.NaN })).toEqual({ b: null });
});

test('the order in which members were written does not matter', () => {
  const shuffled = (value: Json): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => shuffled(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([name, one]) => [name, shuffled(one)]),
    );
  };
  fc.assert(
    fc.property(anyJson, (value) => {
      expect(canonical(shuffled(plain(value)))).toBe(canonical(plain(value)));
    }),
  );
});

test('different values have different texts, equal ones the same', () => {
  fc.assert(
    fc.property(anyJson, anyJson, (a, b) => {
      const [left, right] = [plain(a), plain(b)];
      expect(parsed(canonical(left))).toEqual(left);
      expect(canonical(left) === canonical(right)).toBe(
        JSON.stringify(sorted(left)) === JSON.stringify(sorted(right)),
      );
    }),
  );
});

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item));
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted();
  // A null prototype keeps `__proto__` an ordinary name.
  const made = Object.create(null) as Record<string, Json>;
  for (const name of names) made[name] = sorted(value[name] ?? null);
  return made;
}

test('lists keep their order', () => {
  expect(canonical([2, 1])).toBe('[2,1]');
  expect(canonical({ b: [], a: {} })).toBe('{"a":{},"b":[]}');
});

test('a list and null are no objects', () => {
  expect([[], null, 'x', 1, {}].map(isObject)).toEqual([false, false, false, false, true]);
});

test('a member that is no text reads as none', () => {
  expect(textMember({ a: 'x' }, 'a')).toBe('x');
  expect(textMember({ a: 1 }, 'a')).toBe('');
  expect(textMember([], 'a')).toBe('');
  expect(textMember(undefined, 'a')).toBe('');
});

test('what this program recorded is taken as it is', () => {
  const value = { a: 1 };
  expect(recorded<{ a: number }>(value)).toBe(value);
});
