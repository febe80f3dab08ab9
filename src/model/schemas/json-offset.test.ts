import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type Json, parsed } from '../../lib/json.ts';
import { jsonOffset } from './json-offset.ts';

test('a value is found where it stands, and what is missing where it should have stood', () => {
  const text = '{ "a": [1, {"b\\"c": true}, "x, ]"],\n "d": -2.5e3, "e": {} , "d": null }';
  const at = (...path: readonly (string | number)[]): string =>
    text.slice(jsonOffset(text, path)).slice(0, 6);
  expect(at()).toBe('{ "a":');
  expect(at('a')).toBe('[1, {"');
  expect(at('a', 0)).toBe('1, {"b');
  expect(at('a', 1, 'b"c')).toBe('true},');
  expect(at('a', 2)).toBe('"x, ]"');
  expect(at('a', 3)).toBe('[1, {"');
  expect(at('a', 'none')).toBe('[1, {"');
  expect(at('d')).toBe('null }');
  expect(at('d', 'x', 0)).toBe('null }');
  expect(at('e', 'x')).toBe('{} , "');
  expect(at('none', 'deep')).toBe('{ "a":');
});

test('every value of every document is found', () => {
  const paths = (value: Json): readonly (readonly (string | number)[])[] => {
    if (typeof value !== 'object' || value === null) return [[]];
    const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    return [
      [],
      ...inner.flatMap(([name, each]: [string | number, Json]) => paths(each).map((path) => [name, ...path])),
    ];
  };
  const at = (value: Json, path: readonly (string | number)[]): Json =>
    path.reduce<Json>(
      (around, name) => new Map<string, Json>(Object.entries(around ?? {})).get(String(name)) ?? null,
      value,
    );
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (given, indent) => {
      const text = JSON.stringify(given, null, indent);
      const value = parsed(text);
      for (const path of paths(value)) {
        const start = jsonOffset(text, path);
        const wanted = at(value, path);
        const shown =
          typeof wanted === 'object' && wanted !== null
            ? isObject(wanted)
              ? '{'
              : '['
            : JSON.stringify(wanted);
        expect(text.slice(start).startsWith(shown)).toBe(true);
      }
    }),
  );
});
