import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { uncommittedFiles } from '../../src/workspace/uncommitted.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { git, put, repositoryAt } from './rig.ts';

test('changed, staged, deleted and new files are named, ignored and committed ones are not', async () => {
  using folder = tempFolder();
  const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n', '.gitignore': 'out/\n' };
  const repo = repositoryAt(join(folder.path, 'repo'), files);
  put(repo, { 'a.txt': 'changed\n', 'b.txt': 'staged\n', 'new file.txt': 'n\n', 'out/x': 'x\n' });
  git(repo, 'add', 'b.txt');
  git(repo, 'rm', '-q', 'c.txt');
  expect([...(await uncommittedFiles(repo))].toSorted()).toEqual(['a.txt', 'b.txt', 'c.txt', 'new file.txt']);
});

test('below a folder of the repository names are relative to it, and other folders do not count', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'packages/one/a.txt': 'a\n', 'b.txt': 'b\n' });
  put(repo, { 'packages/one/a.txt': 'changed\n', 'b.txt': 'changed\n' });
  symlinkSync(join(repo, 'packages/one'), join(folder.path, 'link'));
  expect(await uncommittedFiles(join(repo, 'packages/one'))).toEqual(['a.txt']);
  expect(await uncommittedFiles(join(folder.path, 'link'))).toEqual(['a.txt']);
});

test('without a repository, and where nothing is yet, there is nothing to name', async () => {
  using folder = tempFolder();
  const plain = join(realpathSync(folder.path), 'plain');
  mkdirSync(plain);
  writeFileSync(join(plain, 'a.txt'), 'a\n');
  expect(await uncommittedFiles(plain)).toEqual([]);
  expect(await uncommittedFiles(join(plain, 'missing'))).toEqual([]);
});
