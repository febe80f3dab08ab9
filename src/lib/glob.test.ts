import { expect, test } from 'vitest';
import { matchesGlob } from './glob.ts';

test.for([
  ['src/a.ts', 'src/**', true],
  ['src/deep/a.ts', 'src/**', true],
  ['src', 'src/**', false],
  ['src/deep/a.ts', 'src/*', false],
  ['src/deep/a.ts', 'src/', true],
  ['a.ts', '**/*.ts', true],
  ['x/y/a.ts', '**/*.ts', true],
  ['x/y/a.tsx', '**/*.ts', false],
  ['src/a/b/c.ts', 'src/**/c.ts', true],
  ['src/c.ts', 'src/**/c.ts', true],
  ['srcx/c.ts', 'src/**/c.ts', false],
  ['notes/a+b.md', 'notes/a+b.md', true],
  ['notes/aab.md', 'notes/a+b.md', false],
  ['notes/a.md', 'notes/?.md', true],
  ['notes/ab.md', 'notes/?.md', false],
  ['a.json', '*.{json,yaml}', true],
  ['a.yaml', '*.{json,yaml}', true],
  ['a.txt', '*.{json,yaml}', false],
  ['a,b', 'a,b', true],
  ['a{b', 'a{b', true],
  ['a}b', 'a}b', true],
  ['a{b}c}d', '{a\\{b}c}d', false],
  ['ac', '{a,{b,d}}c', true],
  ['dc', '{a,{b,d}}c', true],
  ['a', '{a,{b}', true],
  ['[id]/page.tsx', '[id]/page.tsx', true],
  ['.github/x', '**', true],
  ['ab', 'a**', true],
] as const)('%s and the pattern %s: %s', ([path, pattern, expected]) => {
  expect(matchesGlob(path, pattern)).toBe(expected);
});

test('a character outside the basic plane is one character', () => {
  expect(matchesGlob('notes/💡.md', 'notes/?.md')).toBe(true);
});
