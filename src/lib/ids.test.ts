import { isAbsolute, join, relative, sep } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSafeId, isSafeName, slug, timestampId } from './ids.ts';

/** Names as an attacker would choose them: pieces of paths, options, refs, targets and escapes, joined at random. */
const pieces = [
  '..',
  '.',
  '/',
  '\\',
  '~',
  '-',
  '--',
  '$(x)',
  '`x`',
  ';',
  '\n',
  '\0',
  '%2e',
  ':',
  '*',
  '@{',
  '.lock',
  'con',
  'a',
  'A',
  '0',
  '\u202E',
  'ö',
  ' ',
  '\uFF0E',
  'K',
];
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);
const runs = 50_000;

function staysInside(name: string): boolean {
  const base = `${sep}base${sep}folder`;
  const inside = relative(base, join(base, `${name}.json`));
  return !isAbsolute(inside) && !inside.startsWith('..') && !inside.includes(sep);
}

test('100,000 hostile names: what is accepted never leaves its folder, and is no option, target or ref trick', () => {
  let accepted = 0;
  for (const accepts of [isSafeName, isSafeId]) {
    fc.assert(
      fc.property(hostile, (name) => {
        if (!accepts(name)) return;
        accepted += 1;
        expect(staysInside(name)).toBe(true);
        expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/);
        expect(name).not.toContain('..');
      }),
      { numRuns: runs },
    );
  }
  expect(accepted).toBeGreaterThan(100);
});

test('a slug of anything is a safe name', () => {
  fc.assert(
    fc.property(hostile, fc.integer({ min: 1, max: 64 }), (text, max) => {
      const made = slug(text, max);
      expect(isSafeName(made)).toBe(true);
      expect(made.length).toBeLessThanOrEqual(max);
    }),
    { numRuns: 20_000 },
  );
  expect(slug('Fix: the Parser!')).toBe('fix-the-parser');
  expect(slug('…')).toBe('x');
});

test('ids of child runs are safe ids, but no names that a person may give', () => {
  expect(isSafeId('run-1.0a1b2c3d.99887766')).toBe(true);
  expect(isSafeName('run-1.0a1b2c3d')).toBe(false);
  expect(['a..b', 'a.', '.a', '', '-a', 'a/b'].map(isSafeId)).toEqual(Array.from({ length: 6 }, () => false));
});

test('a moment’s id sorts as the moments do', () => {
  expect(timestampId(Date.UTC(2025, 10, 18, 15, 30, 42))).toBe('20251118-153042');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 1000, max: 4e9 }), (at, later) => {
      expect(timestampId(at) < timestampId(at + later)).toBe(true);
    }),
  );
});
