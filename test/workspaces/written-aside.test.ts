import type * as FileSystem from 'node:fs';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { closeWorkspace } from '../../src/workspace/close.ts';
import { sweep } from '../../src/workspace/sweep.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { put, repositoryAt, seal, targetAt, workspaceFor } from './rig.ts';

/** Why folders that were moved aside cannot be removed now; empty: they can. */
const trouble = vi.hoisted(() => ({ code: '' }));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof FileSystem>();
  const rmSync: typeof real.rmSync = (path, options) => {
    if (trouble.code !== '' && String(path).endsWith('.old'))
      throw Object.assign(new Error(`${trouble.code}: ${String(path)}`), { code: trouble.code });
    real.rmSync(path, options);
  };
  return { ...real, rmSync };
});

afterEach(() => {
  trouble.code = '';
});

test('a workspace is closed while a leftover process still writes to its folder, which is removed later', async () => {
  using folder = tempFolder();
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' }));
  const workspace = await workspaceFor(target, 'T001');
  put(workspace.dir, { 'a.txt': 'work\n' });
  await seal(target, workspace);
  trouble.code = 'ENOTEMPTY';
  expect((await closeWorkspace(target, workspace)).ok).toBe(true);
  expect(existsSync(workspace.root)).toBe(false);
  const aside = (): readonly string[] =>
    readdirSync(join(target.state, 'work')).filter((name) => name.endsWith('.old'));
  expect(aside()).toHaveLength(1);
  // As a process that is no more left it.
  mkdirSync(join(target.state, 'work', 'T009-1.4194303.old'));
  expect((await sweep(target)).removed).toEqual([]);
  trouble.code = '';
  expect((await sweep(target)).removed).toEqual(['T009-1.4194303.old']);
});

test('control: a disk that cannot remove the folder is reported', async () => {
  using folder = tempFolder();
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' }));
  const workspace = await workspaceFor(target, 'T001');
  trouble.code = 'EIO';
  await expect(closeWorkspace(target, workspace)).rejects.toThrow('EIO');
});
