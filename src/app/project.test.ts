import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { findProject } from './project.ts';

test('a repository around a folder is its project, and so is a worktree; an empty folder named .git is neither', () => {
  using folder = tempFolder();
  const inside = join(folder.path, 'a/b');
  mkdirSync(inside, { recursive: true });
  mkdirSync(join(folder.path, 'a/.git'));
  expect(findProject(inside)).toBe(inside);
  writeFileSync(join(folder.path, 'a/.git/HEAD'), 'ref: refs/heads/main\n');
  expect(findProject(inside)).toBe(join(folder.path, 'a'));
  writeFileSync(join(inside, '.git'), 'gitdir: elsewhere\n');
  expect(findProject(inside)).toBe(inside);
});
