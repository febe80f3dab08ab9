import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { appendText, makePrivateFolder, replaceFile } from './atomic-file.ts';

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

test('text is added to a file of ours, and to nothing that somebody put in its place', () => {
  using folder = tempFolder();
  const at = (name: string) => join(folder.path, name);
  appendText(at('log'), 'one\n');
  appendText(at('log'), 'two\n');
  expect(readFileSync(at('log'), 'utf8')).toBe('one\ntwo\n');
  expect(statSync(at('log')).mode & 0o777).toBe(0o600);
  symlinkSync(at('log'), at('link'));
  // With nobody who reads it, writing to a pipe would wait for ever.
  execFileSync('mkfifo', [at('pipe')]);
  for (const name of ['link', 'pipe']) {
    expect(() => {
      appendText(at(name), 'three\n');
    }).toThrow();
  }
  expect(readFileSync(at('log'), 'utf8')).toBe('one\ntwo\n');
});
