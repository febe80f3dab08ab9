import { spawn } from 'node:child_process';
import { existsSync, openSync, closeSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { processesWithOpen } from './open-files.ts';

test.skipIf(!existsSync('/proc/self/fd'))(
  'a process that has a file open is found, also after the file was removed, and this one is not',
  () => {
    using folder = tempFolder();
    const path = join(realpathSync(folder.path), 'file');
    writeFileSync(path, '');
    const mine = openSync(path, 'r');
    expect(processesWithOpen(path)).toEqual([]);
    const other = spawn('sleep', ['600'], { stdio: [mine, 'ignore', 'ignore'] });
    try {
      expect(processesWithOpen(path)).toEqual([other.pid]);
      rmSync(path);
      expect(processesWithOpen(path)).toEqual([other.pid]);
      expect(processesWithOpen(`${path}-other`)).toEqual([]);
    } finally {
      other.kill('SIGKILL');
      closeSync(mine);
    }
  },
);

test('a system without /proc names none', () => {
  expect(processesWithOpen('/etc/passwd', '/nowhere')).toEqual([]);
});
