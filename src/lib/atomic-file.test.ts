import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { makePrivateFolder, replaceFile } from './atomic-file.ts';

test('a file is replaced as a whole, for its owner only, and nothing else is left', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'state.json');
  replaceFile(path, 'old');
  replaceFile(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder.path)).toEqual(['state.json']);
});

test('a file that cannot be replaced stays as it is, and leaves no half one beside it', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'taken');
  mkdirSync(join(path, 'full'), { recursive: true });
  writeFileSync(join(path, 'full', 'x'), '');
  expect(() => {
    replaceFile(path, 'new');
  }).toThrow();
  expect(readdirSync(folder.path)).toEqual(['taken']);
  expect(() => {
    replaceFile(join(folder.path, 'missing', 'x'), 'new');
  }).toThrow('ENOENT');
});

test('our folders are for their owner only, and may exist already', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'a', 'b');
  makePrivateFolder(path);
  makePrivateFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});
