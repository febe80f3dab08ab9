import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diffOfWorkspace } from '../../src/workspace/seal.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { must, put, repositoryAt, targetAt, workspaceFor } from './rig.ts';

test('a diff has the judged files only, whether they are new, changed or gone', async () => {
  using folder = tempFolder();
  const files = { 'app/a.txt': 'a\n', 'app/b.txt': 'b\n', 'c.txt': 'c\n' };
  const repo = repositoryAt(join(folder.path, 'repo'), files);
  const target = await targetAt(folder.path, join(repo, 'app'));
  const workspace = await workspaceFor(target, 'T001');
  put(workspace.dir, { 'a.txt': 'changed\n', '*.txt': 'new\n', 'left-by-a-test.txt': 'x\n' });
  rmSync(join(workspace.dir, 'b.txt'));
  const { patch: diff } = must(await diffOfWorkspace(target, workspace, ['a.txt', 'b.txt', '*.txt']));
  expect(diff).toContain('-a\n+changed\n');
  expect(diff).toContain('deleted file mode');
  expect(diff).toContain('+new\n');
  // A name is a name and no pattern.
  expect(diff).not.toContain('left-by-a-test');
  const many = Array.from({ length: 20_000 }, (_, n) => `no-such-file-${n}.txt`);
  expect(must(await diffOfWorkspace(target, workspace, many)).patch).toContain('left-by-a-test');
});

test('a workspace that is gone has no diff', async () => {
  using folder = tempFolder();
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' }));
  const workspace = await workspaceFor(target, 'T001');
  rmSync(workspace.root, { recursive: true });
  expect((await diffOfWorkspace(target, workspace, ['a.txt'])).ok).toBe(false);
});
