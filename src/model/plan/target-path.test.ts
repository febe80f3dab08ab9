import * as fc from 'fast-check';
import { join } from 'node:path/posix';
import { expect, test } from 'vitest';
import { pathTrouble } from './target-path.ts';

test.each([
  'a',
  'src/a.ts',
  '.github/workflows/ci.yml',
  'app/[id]/page.tsx',
  'ä b/ü.md',
  '.gitignore',
  'x.git/y',
  '...',
])('%j is a path below the target', (path) => {
  expect(pathTrouble(path)).toBeNull();
});

test.each([
  '',
  '/',
  '/a',
  '~',
  '~root/a',
  'c:a',
  '..',
  'a/../b',
  'a\\b',
  '.',
  './a',
  'a//b',
  'a/',
  'a/./b',
  '.git',
  '.git/config',
  'sub/.GIT/hooks/x',
  '.tutti/tutti.db',
  'a*',
  'a?b',
  'a\u0000b',
  'a\nb',
  '.g\u200Cit/config',
  `${'a/'.repeat(600)}b`,
  'ä'.repeat(200),
  'a'.repeat(256),
])('%j is none', (path) => {
  expect(pathTrouble(path)).not.toBeNull();
});

test('whatever is let pass stays below the target and is written in the one way there is', () => {
  const parts = fc.constantFrom('a', '..', '.', '', '.git', 'b.c', '~', 'C:', '\\', 'x y', '\u202E', '*');
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 5 }), (names) => {
      const path = names.join('/');
      if (pathTrouble(path) !== null) return;
      expect(join('/target', path)).toBe(`/target/${path}`);
      expect(path.split('/')).not.toContain('.git');
    }),
    { numRuns: 2000 },
  );
});
