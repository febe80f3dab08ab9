import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { writeLine } from './write-line.ts';

test('every byte of a line is written before the call returns', () => {
  using folder = tempFolder();
  const path = join(folder.path, 'log');
  const descriptor = openSync(path, 'w');
  const long = 'ä'.repeat(500_000);
  writeLine(long, descriptor);
  writeLine('end', descriptor);
  expect(readFileSync(path, 'utf8')).toBe(`${long}\nend\n`);
  closeSync(descriptor);
});
