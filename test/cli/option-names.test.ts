import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { cli } from './rig.ts';

test('an unknown option that is near to none gets no suggestion', async () => {
  using folder = tempFolder();
  const { err, code } = await cli({ folder: folder.path }, 'execute', '--yes');
  expect(code).toBe(64);
  expect(err).toMatch(/^tutti: there is no option '--yes'\n/);
  expect((await cli({ folder: folder.path }, 'execute', '--tsak', 'T001')).err).toContain(
    "'--tsak'; did you mean '--task'?",
  );
});
