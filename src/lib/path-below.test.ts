import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { isWithin, realPathBelow } from './path-below.ts';

test.each([
  ['/a/b', '/a/b', true],
  ['/a/b', '/a/b/c', true],
  ['/a/b', '/a/b/..c', true],
  ['/a/b', '/a/bc', false],
  ['/a/b', '/a', false],
  ['/a/b', '/a/b/../c', false],
])('from %s, %s is within: %s', (root, path, expected) => {
  expect(isWithin(root, path)).toBe(expected);
});

test('a path below leads where it really leads; what leads outside is refused', () => {
  using folder = tempFolder();
  const root = join(folder.path, 'root');
  mkdirSync(join(root, 'sub'), { recursive: true });
  writeFileSync(join(root, 'sub', 'file'), '');
  writeFileSync(join(folder.path, 'secret'), '');
  symlinkSync('sub', join(root, 'inside'));
  symlinkSync('../secret', join(root, 'outside'));
  symlinkSync('round', join(root, 'round'));
  const real = realpathSync(root);
  const lead = (path: string) => {
    const found = realPathBelow(root, path);
    return found.ok ? found.value : found.error;
  };
  expect(lead('sub/file')).toBe(join(real, 'sub', 'file'));
  expect(lead('inside/file')).toBe(join(real, 'sub', 'file'));
  expect(lead('.')).toBe(real);
  for (const path of ['outside', '../secret', '/etc/passwd', 'sub/../../secret', 'a\0b']) {
    expect(lead(path)).toBe(`${JSON.stringify(path)} leads outside ${root}`);
  }
  expect(lead('none')).toBe('none does not exist');
  expect(lead('sub/file/x')).toBe('sub/file/x does not exist');
  expect(lead('round')).toBe('round is a link that leads in a circle');
  expect(lead('x'.repeat(300))).toContain('cannot be read (ENAMETOOLONG)');
});

test('no path of any shape is accepted that leads outside', () => {
  using folder = tempFolder();
  mkdirSync(join(folder.path, 'a'));
  const real = realpathSync(folder.path);
  const pieces = fc.array(fc.constantFrom('..', '.', '/', 'a', '//', '~', '\\', '%2e', '\0'), {
    maxLength: 10,
  });
  let inside = 0;
  fc.assert(
    fc.property(pieces, (parts) => {
      const found = realPathBelow(folder.path, parts.join(''));
      if (!found.ok) return;
      inside += 1;
      expect(found.value === real || found.value.startsWith(`${real}/`)).toBe(true);
    }),
    { numRuns: 2000 },
  );
  expect(inside).toBeGreaterThan(10);
});
