import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { targetStanding } from './target-standing.ts';

test('files, folders, nothing, and links that stay or lead out are told apart', () => {
  using folder = tempFolder();
  const target = join(folder.path, 'target');
  mkdirSync(join(target, 'src/deep'), { recursive: true });
  writeFileSync(join(target, 'src/a.js'), '');
  writeFileSync(join(folder.path, 'secret'), '');
  symlinkSync('src', join(target, 'same'));
  symlinkSync('src/a.js', join(target, 'link.js'));
  symlinkSync('..', join(target, 'up'));
  symlinkSync('/nowhere/at/all', join(target, 'dangling'));
  symlinkSync('loop', join(target, 'loop'));
  const standing = targetStanding(target);
  const seen = (...paths: readonly string[]): readonly string[] => paths.map(standing);
  expect(seen('src/a.js', 'same/a.js', 'link.js')).toEqual(['file', 'file', 'file']);
  expect(seen('src', 'src/deep', 'same')).toEqual(['folder', 'folder', 'folder']);
  expect(seen('b.js', 'src/b.js', 'none/deep/b.js', 'src/a.js/b.js')).toEqual(
    Array.from({ length: 4 }, () => 'absent'),
  );
  expect(seen('up', 'up/secret', 'up/none/x', 'dangling', 'loop')).toEqual(
    Array.from({ length: 5 }, () => 'outside'),
  );
});

test('in a target that is not there yet there is nothing', () => {
  expect(targetStanding('/nowhere/at/all')('src/a.js')).toBe('absent');
});
