import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { prepareCliHome } from './cli-home.ts';

const files = { folders: ['.cli/deep'], settings: { '.cli/settings.json': '{}\n' } };

test('folders and settings of a CLI that never ran are made, for their owner alone', () => {
  using folder = tempFolder();
  prepareCliHome(folder.path, files);
  expect(statSync(join(folder.path, '.cli/deep')).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(folder.path, '.cli/settings.json'), 'utf8')).toBe('{}\n');
});

test("a person's settings stay as they are", () => {
  using folder = tempFolder();
  prepareCliHome(folder.path, files);
  writeFileSync(join(folder.path, '.cli/settings.json'), '{"mine":1}');
  prepareCliHome(folder.path, files);
  expect(readFileSync(join(folder.path, '.cli/settings.json'), 'utf8')).toBe('{"mine":1}');
});
