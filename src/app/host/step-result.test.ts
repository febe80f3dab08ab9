import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { digestText } from '../../lib/digest.ts';
import { digestFile, keepRead } from './step-result.ts';

test('a result that was read is copied, and has the digest of its text', () => {
  using folder = tempFolder();
  expect(keepRead(folder.path)).toBeNull();
  writeFileSync(join(folder.path, 'result.json'), '{"status":"success"}');
  expect(keepRead(folder.path)).toBe(digestText('{"status":"success"}'));
  expect(readFileSync(join(folder.path, 'accepted-result.json'), 'utf8')).toBe('{"status":"success"}');
});

test('a result that is a link to a device without an end, or a folder, is neither read nor copied', () => {
  for (const leave of [
    (path: string) => {
      symlinkSync('/dev/zero', path);
    },
    (path: string) => mkdirSync(path),
  ]) {
    using folder = tempFolder();
    leave(join(folder.path, 'result.json'));
    expect(keepRead(folder.path)).toBe('');
    expect(digestFile(join(folder.path, 'result.json'))).toBe('');
    expect(digestFile(join(folder.path, 'accepted-result.json'))).toBe('');
  }
});
