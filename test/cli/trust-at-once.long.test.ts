import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTrust } from '../../src/app/trust/trust-file.ts';
import { personProgram, startTutti } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const names = ['a', 'b', 'c', 'd'];

test('of several trust commands at the same moment none loses the change of another', async () => {
  using folder = tempFolder();
  const home = realpathSync(folder.path);
  for (const name of names) {
    mkdirSync(join(home, name, '.git'), { recursive: true });
    writeFileSync(join(home, name, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(home, name, 'CLAUDE.md'), name);
  }
  const all = (args: readonly string[]) =>
    Promise.all(names.map((name) => startTutti(join(home, name), args, { HOME: home }, personProgram).ended));
  const gave = await all(['trust', '--yes']);
  expect(gave.map(({ code }) => code)).toEqual(names.map(() => 0));
  const isTrusted = (name: string): boolean => {
    const records = readTrust({ HOME: home });
    return records.ok && records.value.has(join(home, name));
  };
  expect(names.filter(isTrusted)).toEqual(names);
  const revoked = await all(['trust', '--revoke']);
  expect(revoked.map(({ code }) => code)).toEqual(names.map(() => 0));
  expect(names.filter(isTrusted)).toEqual([]);
});
