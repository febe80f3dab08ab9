import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installedTutti } from '../rig/installed-tutti.ts';
import { tempFolder } from '../rig/temp-folder.ts';

/** `tutti runs` in a folder without a project. */
function runs(home: string, state: string): { readonly status: number | null; readonly stdout: string } {
  const env = { PATH: process.env['PATH'], HOME: home, XDG_STATE_HOME: state };
  const options = { cwd: home, env, encoding: 'utf8' } as const;
  const { status, stdout } = spawnSync(process.execPath, [installedTutti(), 'runs', '--json'], options);
  return { status, stdout };
}

test('compiled code is kept where Tutti keeps something already, and a command says the same with it', () => {
  using folder = tempFolder();
  const state = join(folder.path, 'state');
  const first = runs(folder.path, state);
  expect(existsSync(state)).toBe(false);
  mkdirSync(join(state, 'tutti'), { recursive: true });
  const again = [runs(folder.path, state), runs(folder.path, state)];
  expect(again).toEqual([first, first]);
  expect(readdirSync(join(state, 'tutti/compiled'))).not.toEqual([]);
});
