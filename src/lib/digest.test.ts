import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentAddress, digest, digestText } from './digest.ts';

test('content has one name, whatever the order of its members', () => {
  expect(digest({ a: 1, b: [2, { c: 3, d: 4 }] })).toBe(digest({ b: [2, { d: 4, c: 3 }], a: 1 }));
  expect(digest({ a: 1 })).not.toBe(digest({ a: 2 }));
});

test('a name is 16 hex digits, an address 64', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(digestText(text)).toMatch(/^[0-9a-f]{16}$/);
      expect(contentAddress(text)).toMatch(/^[0-9a-f]{64}$/);
      expect(contentAddress(text).startsWith(digestText(text))).toBe(true);
    }),
  );
});

test('bytes and the text they encode have the same name', () => {
  expect(digestText(new TextEncoder().encode('grün'))).toBe(digestText('grün'));
});
