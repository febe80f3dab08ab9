import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { closeWorkspace } from '../../src/workspace/close.ts';
import { deliver } from '../../src/workspace/deliver.ts';
import { landedTouching } from '../../src/workspace/landed.ts';
import { land } from '../../src/workspace/landing.ts';
import { integrationOf } from '../../src/workspace/integration.ts';
import { bringUpToDate } from '../../src/workspace/bring-up-to-date.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { git, must, put, repositoryAt, seal, targetAt, workspaceFor } from './rig.ts';

const fine = { verify: () => Promise.resolve({ ok: true } as const) };

test('work goes from a workspace to the integration branch, and from there to the operator', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const target = await targetAt(folder.path, repo);
  const { base, tip } = must(await integrationOf(target));
  expect([base, tip]).toEqual([git(repo, 'rev-parse', 'HEAD'), base]);
  const workspace = await workspaceFor(target, 'T001');
  expect(await workspaceFor(target, 'T001')).toEqual(workspace);
  put(workspace.dir, { 'a.txt': 'changed\n', 'new/c.txt': 'c\n' });
  git(workspace.dir, 'rm', '-q', 'b.txt');
  git(workspace.dir, 'commit', '-qm', 'of the agent');
  const sealed = await seal(target, workspace);
  expect(sealed.files).toEqual({ created: ['new/c.txt'], modified: ['a.txt'], deleted: ['b.txt'] });
  const landed = must(await land(target, workspace, sealed, fine));
  expect(landed).toMatchObject({ at: 'landed', before: base });
  expect(must(await land(target, workspace, sealed, fine))).toEqual(landed);
  expect(await landedTouching(target, ['a.txt'])).toEqual(['T001']);
  expect(must(await closeWorkspace(target, workspace))).toBeNull();
  expect(existsSync(workspace.root)).toBe(false);
  expect(git(repo, 'status', '--porcelain')).toBe('');
  expect(git(repo, 'log', '-1', '--format=%an%n%B', 'tutti/shop/integration')).toBe(
    'Op\nT001: work\n\nTutti-Task: T001\nTutti-Run: r\nTutti-Agent: a',
  );
  expect(readFileSync(join(repo, 'a.txt'), 'utf8')).toBe('a\n');
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered', files: 3 });
  expect(git(repo, 'status', '--porcelain')).toBe('');
  expect(readFileSync(join(repo, 'new/c.txt'), 'utf8')).toBe('c\n');
  expect(must(await deliver(target))).toEqual({ at: 'nothing' });
});

test('two tasks that changed one line: the second is told, brought up to date, and lands with both', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'one\ntwo\n' });
  const target = await targetAt(folder.path, repo);
  const first = await workspaceFor(target, 'T001');
  const second = await workspaceFor(target, 'T002');
  put(first.dir, { 'a.txt': 'one\nfirst\n' });
  put(second.dir, { 'a.txt': 'one\nsecond\n', 'b.txt': 'b\n' });
  expect(must(await land(target, first, await seal(target, first), fine)).at).toBe('landed');
  const sealed = await seal(target, second);
  expect(must(await land(target, second, sealed, fine))).toEqual({ at: 'conflict', files: ['a.txt'] });
  const { workspace, conflicts, rescue } = must(await bringUpToDate(target, second));
  expect(conflicts).toEqual(['a.txt']);
  expect(rescue).toBe('refs/tutti/rescue/shop/T002-1');
  const marked = readFileSync(join(workspace.dir, 'a.txt'), 'utf8');
  expect(marked).toBe(
    'one\n<<<<<<< tutti/shop/integration\nfirst\n=======\nsecond\n>>>>>>> tutti/shop/T002-1\n',
  );
  expect(must(await bringUpToDate(target, workspace)).conflicts).toEqual(['a.txt']);
  put(workspace.dir, { 'a.txt': 'one\nfirst\nsecond\n' });
  expect(must(await bringUpToDate(target, workspace)).conflicts).toEqual([]);
  const verified: unknown[] = [];
  const verify = (dir: string, _commit: string, check: unknown) => {
    verified.push([readFileSync(join(dir, 'a.txt'), 'utf8'), check]);
    return Promise.resolve({ ok: true } as const);
  };
  const end = must(await land(target, workspace, await seal(target, workspace), { verify }));
  expect(end.at).toBe('landed');
  expect(verified).toEqual([['one\nfirst\nsecond\n', { sameTree: true, touching: ['T001'] }]]);
  expect(git(repo, 'show', 'tutti/shop/integration:b.txt')).toBe('b');
});
