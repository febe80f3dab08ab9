import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tutti, writeProject } from '../rig/program.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const nobody = { uid: 65_534, gid: 65_534 };

test('in the project of another user every command says whose it is, and none that there are no runs', async ({
  skip,
}) => {
  if (process.getuid?.() !== 0) skip('only root may play another user');
  const program = repository('bin/tutti.js');
  const canRead = spawnSync(process.execPath, [program, '--version'], nobody).status === 0;
  if (!canRead) skip('other users may not read this checkout');
  using folder = tempFolder();
  const path = join(realpathSync(folder.path), 'project');
  const home = join(realpathSync(folder.path), 'home');
  chmodSync(folder.path, 0o755);
  mkdirSync(home);
  chmodSync(home, 0o777);
  writeProject(path, { 'flow.yaml': { steps: [{ id: 'a', command: ['true'] }] } });
  chmodSync(path, 0o755);
  expect((await tutti(path, 'run', 'flow.yaml')).code).toBe(0);
  for (const words of [
    ['status'],
    ['runs'],
    ['run', 'flow.yaml', '--trust'],
    ['stop'],
    ['trust', '--state'],
  ]) {
    const env = { PATH: process.env['PATH'], HOME: home };
    const ended = spawnSync(process.execPath, [program, ...words], {
      cwd: path,
      env,
      ...nobody,
      encoding: 'utf8',
    });
    expect([ended.status, ended.stderr], words.join(' ')).toEqual([
      69,
      expect.stringContaining(`${path}/.tutti belongs to another user, and you may not read it`),
    ]);
  }
});
