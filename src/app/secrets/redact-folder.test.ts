import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { Redactor } from '../../lib/redact.ts';
import { redactFolder } from './redact-folder.ts';

const secret = 'sécret-that-nobody-tells';
const redactor = new Redactor([{ name: 'MINE', value: secret }]);

test('every file below loses its secrets and nothing else, with its mode and time', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'deep', 'log');
  mkdirSync(join(folder.path, 'deep'));
  const bytes = Buffer.from([0, 255, 10, 254, 13, 10, 128]);
  writeFileSync(path, Buffer.concat([bytes, Buffer.from(`é ${secret} ü`), bytes]));
  chmodSync(path, 0o640);
  utimesSync(path, 1000, 2000);
  redactFolder(folder.path, redactor);
  expect(readFileSync(path)).toEqual(Buffer.concat([bytes, Buffer.from('é [redacted:MINE] ü'), bytes]));
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(statSync(path).mtimeMs).toBe(2_000_000);
  expect(readdirSync(join(folder.path, 'deep'))).toEqual(['log']);
});

test('a file without a secret is not written, and a link is not followed', () => {
  using folder = tempFolder();
  using elsewhere = tempFolder();
  writeFileSync(join(elsewhere.path, 'theirs'), secret);
  writeFileSync(join(folder.path, 'plain'), 'nothing here');
  symlinkSync(join(elsewhere.path, 'theirs'), join(folder.path, 'link'));
  const before = statSync(join(folder.path, 'plain')).ino;
  redactFolder(folder.path, redactor);
  expect(statSync(join(folder.path, 'plain')).ino).toBe(before);
  expect(readFileSync(join(elsewhere.path, 'theirs'), 'utf8')).toBe(secret);
});

test('one secret at the end of a piece is enough, also if what is put in its place is as long', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'flood');
  const same = 'secret-that-nobody-tells';
  const name = 'AS_LONG_AS_IT';
  writeFileSync(path, `${'x'.repeat(4 * 1024 * 1024 + 256 * 1024 - 100)}${same}`);
  redactFolder(folder.path, new Redactor([{ name, value: same }]));
  expect(`[redacted:${name}]`).toHaveLength(same.length);
  expect(readFileSync(path, 'utf8').endsWith(`x[redacted:${name}]`)).toBe(true);
});

test('a line without end is worked on in pieces, and no secret escapes between two of them', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'flood');
  const flood = `${'x'.repeat(997)} ${secret} `.repeat(9000);
  writeFileSync(path, flood);
  redactFolder(folder.path, redactor);
  expect(readFileSync(path, 'utf8')).toBe(flood.replaceAll(secret, '[redacted:MINE]'));
});
