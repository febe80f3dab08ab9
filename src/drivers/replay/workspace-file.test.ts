import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { writeInWorkspace } from './workspace-file.ts';

test('files are written and continued below the workspace, folders are made', () => {
  using folder = tempFolder();
  expect(writeInWorkspace(folder.path, 'a/b/c.txt', 'one\n', 'replace').ok).toBe(true);
  expect(writeInWorkspace(folder.path, 'a/b/c.txt', 'two\n', 'append').ok).toBe(true);
  expect(writeInWorkspace(folder.path, join(folder.path, 'abs.txt'), 'x', 'replace').ok).toBe(true);
  expect(readFileSync(join(folder.path, 'a/b/c.txt'), 'utf8')).toBe('one\ntwo\n');
});

test('links do not lead out: not as a folder, not as the file, not dangling', () => {
  using folder = tempFolder();
  const workspace = join(folder.path, 'workspace');
  const outside = join(folder.path, 'outside');
  mkdirSync(workspace);
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'secret');
  symlinkSync(outside, join(workspace, 'folder'));
  symlinkSync(join(outside, 'secret'), join(workspace, 'file'));
  symlinkSync(join(outside, 'not-yet'), join(workspace, 'dangling'));
  const paths = ['folder/new', 'folder/deep/new', 'file', 'dangling', 'dangling/new'];
  expect(paths.filter((path) => writeInWorkspace(workspace, path, 'x', 'replace').ok)).toEqual([]);
  expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
  expect(readdirSync(outside)).toEqual(['secret']);
});

test('no path, however it is written, leaves the workspace', () => {
  using folder = tempFolder();
  const workspace = join(folder.path, 'a', 'workspace');
  mkdirSync(workspace, { recursive: true });
  const part = fc.constantFrom('..', '.', '', 'x', '...', '~', '\0', '/', 'a b');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const path = parts.join('/');
      const written = writeInWorkspace(workspace, path, 'x', 'replace');
      const isBelow = join(workspace, path).startsWith(`${workspace}/`);
      expect(written).toSatisfy(() => isBelow || !written.ok);
      const why = written.ok ? 'cannot be written' : written.error;
      expect(why).toMatch(/leads outside the workspace|cannot be written/);
    }),
    { numRuns: 300 },
  );
  expect(existsSync(join(dirname(workspace), 'x'))).toBe(false);
});
