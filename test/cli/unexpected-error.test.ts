import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { cli } from './rig.ts';

test('an unexpected error is one sentence, and TUTTI_DEBUG=1 prints its stack', async () => {
  using folder = tempFolder();
  const file = join(folder.path, 'plain-file');
  writeFileSync(file, '');
  chmodSync(file, 0o600);
  // A folder that is a file makes the doctor's look at the disk throw: no command expects that.
  const quiet = await cli({ folder: join(file, 'below') }, 'doctor');
  expect(quiet.code).toBe(1);
  expect(quiet.err).toMatch(/^tutti: .*\n {2}→ .*TUTTI_DEBUG=1\n$/);
  const debug = await cli({ folder: join(file, 'below'), env: { TUTTI_DEBUG: '1' } }, 'doctor');
  expect(debug.err).toMatch(/at .*\.ts:\d+/);
});
