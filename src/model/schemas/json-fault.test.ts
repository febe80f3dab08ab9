import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault } from './json-fault.ts';

test.each<[string, number]>([
  ['', 0],
  [' ', 1],
  ['{', 1],
  ['{"a"', 4],
  ['{"a":', 5],
  ['{"a":1', 6],
  ['{"a":1,}', 7],
  ['{"a":1 "b"', 7],
  ['{a:1}', 1],
  ['{"a" 1}', 5],
  ['{"a":1,"b}', 10],
  ['[', 1],
  ['[1 2]', 3],
  ['[1,]', 3],
  ['[1]]', 3],
  ['{}}', 2],
  ['nul', 0],
  ['01', 1],
  ['1.e3', 1],
  ['"a\nb"', 2],
  ['"a\\x"', 2],
  ["{'a': 1}", 1],
])('%j stops being JSON at %i', (text, offset) => {
  expect(jsonFault(text)).toBe(offset);
});

test('exactly what the engine parses has no fault', () => {
  const spaced = fc.jsonValue().map((value) => ` ${JSON.stringify(value, null, 2)}\r\n\t`);
  fc.assert(
    fc.property(fc.oneof(fc.json(), spaced), (text) => {
      expect(jsonFault(text)).toBeNull();
    }),
  );
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '{', '}', ']', '0', 'x', '\n'),
      (text, at, change) => {
        const place = at % (text.length + 1);
        const spoilt = text.slice(0, place) + change + text.slice(place + 1);
        let parses = true;
        try {
          JSON.parse(spoilt);
        } catch {
          parses = false;
        }
        expect(jsonFault(spoilt) === null).toBe(parses);
      },
    ),
    { numRuns: 2000 },
  );
});
