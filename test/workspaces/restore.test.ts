import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setTree } from '../../src/workspace/restore.ts';
import { changedSince, treeOfWorkspace } from '../../src/workspace/seal.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { must, put, repositoryAt, targetAt, workspaceFor } from './rig.ts';

test('a workspace is set back to a tree, and only the files that differed are named', async () => {
  using folder = tempFolder();
  const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), files));
  const workspace = await workspaceFor(target, 'T001');
  put(workspace.dir, { 'a.txt': 'work\n', 'new.txt': 'new\n' });
  const judged = must(await treeOfWorkspace(target, workspace));
  expect(must(await setTree(target, workspace, judged))).toEqual({ paths: [], changed: [] });
  put(workspace.dir, { 'a.txt': 'spoiled\n', 'more.txt': 'more\n' });
  rmSync(join(workspace.dir, 'c.txt'));
  expect(must(await changedSince(target, workspace, judged, ['a.txt', 'b.txt', 'new.txt']))).toEqual([
    'a.txt',
  ]);
  expect(must(await setTree(target, workspace, judged))).toEqual({
    paths: ['a.txt', 'c.txt', 'more.txt'],
    changed: ['a.txt', 'c.txt'],
  });
  expect(must(await treeOfWorkspace(target, workspace))).toBe(judged);
  expect(readFileSync(join(workspace.dir, 'a.txt'), 'utf8')).toBe('work\n');
});
