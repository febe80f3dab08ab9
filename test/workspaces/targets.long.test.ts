import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Target } from '../../src/model/workspace.ts';
import { deliver } from '../../src/workspace/deliver.ts';
import { land } from '../../src/workspace/landing.ts';
import { integrationOf } from '../../src/workspace/integration.ts';
import { uncommittedFiles } from '../../src/workspace/uncommitted.ts';
import { openTarget } from '../../src/workspace/target.ts';
import { planOwner } from '../../src/model/owner.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { git, must, owner, put, repositoryAt, seal, targetAt, workspaceFor } from './rig.ts';

const fine = { verify: () => Promise.resolve({ ok: true } as const) };

/** One task's files, landed. */
async function bringIn(target: Target, task: string, files: Readonly<Record<string, string>>): Promise<void> {
  const workspace = await workspaceFor(target, task);
  put(workspace.dir, files);
  expect(must(await land(target, workspace, await seal(target, workspace), fine)).at).toBe('landed');
}

const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');

test('a folder in no repository: work lands beside it, and is written into it only when it is delivered', async () => {
  using folder = tempFolder();
  const dir = join(folder.path, 'plain');
  put(dir, {
    'a.txt': 'a\n',
    'run.sh': 'x\n',
    '.gitignore': 'out\n',
    'out/x': 'x',
    'node_modules/p/i.js': '1',
  });
  const target = await targetAt(folder.path, dir);
  expect(target).toMatchObject({ kind: 'folder', root: dir, prefix: '' });
  expect(must(await integrationOf(target))).toMatchObject({ leftOut: [] });
  await bringIn(target, 'T001', { 'a.txt': 'changed\n', 'deep/er/b.txt': 'b\n' });
  expect(read(dir, 'a.txt')).toBe('a\n');
  expect(existsSync(join(dir, '.git'))).toBe(false);
  expect(git(target.gitDir, 'ls-tree', '-r', '--name-only', 'tutti/shop/integration').split('\n')).toEqual([
    '.gitignore',
    'a.txt',
    'deep/er/b.txt',
    'run.sh',
  ]);
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered', files: 2 });
  expect([read(dir, 'a.txt'), read(dir, 'deep/er/b.txt'), read(dir, 'out/x')]).toEqual([
    'changed\n',
    'b\n',
    'x',
  ]);
  expect(must(await deliver(target))).toEqual({ at: 'nothing' });
  await bringIn(target, 'T002', { 'c.txt': 'c\n' });
  writeFileSync(join(dir, 'a.txt'), 'of the operator\n');
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered', files: 1 });
  expect(read(dir, 'a.txt')).toBe('of the operator\n');
});

test('what was changed in the folder meanwhile is not overwritten, and nothing else is written', async () => {
  using folder = tempFolder();
  using outside = tempFolder();
  const dir = join(folder.path, 'plain');
  put(dir, { 'a.txt': 'a\n', 'b.txt': 'b\n', 'in/c.txt': 'c\n' });
  const target = await targetAt(folder.path, dir);
  await bringIn(target, 'T001', { 'a.txt': '1\n', 'b.txt': '2\n', 'new/d.txt': 'd\n' });
  writeFileSync(join(dir, 'b.txt'), 'of the operator\n');
  symlinkSync(outside.path, join(dir, 'new'));
  expect(must(await deliver(target))).toMatchObject({ at: 'refused', files: ['b.txt', 'new/d.txt'] });
  expect([read(dir, 'a.txt'), read(dir, 'b.txt')]).toEqual(['a\n', 'of the operator\n']);
  expect(existsSync(join(outside.path, 'd.txt'))).toBe(false);
});

test('files become folders, folders become files, links and modes come along', async () => {
  using folder = tempFolder();
  const dir = join(folder.path, 'plain');
  put(dir, { file: 'f\n', 'dir/a': 'a\n', 'dir/b': 'b\n', script: '#!/bin/sh\n' });
  const target = await targetAt(folder.path, dir);
  const workspace = await workspaceFor(target, 'T001');
  git(workspace.dir, 'rm', '-q', '-r', 'file', 'dir');
  put(workspace.dir, { 'file/inner': 'i\n', dir: 'now a file\n' });
  git(workspace.dir, 'update-index', '--chmod=+x', 'script');
  chmodSync(join(workspace.dir, 'script'), 0o755);
  symlinkSync('file/inner', join(workspace.dir, 'link'));
  const sealed = await seal(target, workspace);
  expect(sealed.files).toEqual({
    created: ['dir', 'file/inner', 'link'],
    modified: ['script'],
    deleted: ['dir/a', 'dir/b', 'file'],
  });
  must(await land(target, workspace, sealed, fine));
  expect(must(await deliver(target)).at).toBe('delivered');
  expect([read(dir, 'file/inner'), read(dir, 'dir'), read(dir, 'link')]).toEqual([
    'i\n',
    'now a file\n',
    'i\n',
  ]);
  expect(lstatSync(join(dir, 'script')).mode & 0o111).not.toBe(0);
  expect(lstatSync(join(dir, 'link')).isSymbolicLink()).toBe(true);
});

test('a target that does not exist yet is made when it is delivered, not before', async () => {
  using folder = tempFolder();
  const dir = join(folder.path, 'not', 'yet');
  const target = await targetAt(folder.path, dir);
  await bringIn(target, 'T001', { 'src/a.txt': 'a\n' });
  expect(existsSync(join(folder.path, 'not'))).toBe(false);
  expect(must(await deliver(target)).at).toBe('delivered');
  expect(read(dir, 'src/a.txt')).toBe('a\n');
});

test('a folder inside a repository: paths are its own, and what is written beside it shows', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'app/a.txt': 'a\n', 'other/b.txt': 'b\n' });
  const target = await targetAt(folder.path, join(repo, 'app'));
  expect(target).toMatchObject({ kind: 'git', root: repo, prefix: 'app' });
  const workspace = await workspaceFor(target, 'T001');
  expect(workspace.dir).toBe(join(workspace.root, 'app'));
  put(workspace.dir, { 'a.txt': 'x\n', '../other/c.txt': 'c\n' });
  const sealed = await seal(target, workspace);
  expect(sealed.files).toEqual({ created: ['../other/c.txt'], modified: ['a.txt'], deleted: [] });
  const dirs: string[] = [];
  const verify = (dir: string) => {
    dirs.push(dir);
    return Promise.resolve({ ok: true } as const);
  };
  const second = await workspaceFor(target, 'T002');
  must(await land(target, workspace, sealed, fine));
  put(second.dir, { 'd.txt': 'd\n' });
  must(await land(target, second, await seal(target, second), { verify }));
  expect(dirs).toEqual([join(target.state, 'work', 'landing', 'app')]);
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered', files: 3 });
  expect([read(repo, 'app/a.txt'), read(repo, 'other/c.txt')]).toEqual(['x\n', 'c\n']);
});

test('a new folder in a repository, and a repository without a commit, can be targets', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' });
  const inside = await targetAt(folder.path, join(repo, 'new/app'));
  expect(inside).toMatchObject({ kind: 'git', prefix: 'new/app' });
  await bringIn(inside, 'T001', { 'b.txt': 'b\n' });
  expect(existsSync(join(repo, 'new'))).toBe(false);
  must(await deliver(inside));
  expect(read(repo, 'new/app/b.txt')).toBe('b\n');

  const unborn = join(folder.path, 'unborn');
  mkdirSync(unborn);
  git(unborn, 'init', '-q', '-b', 'main');
  const target = must(
    await openTarget({ dir: unborn, owner: planOwner('other'), stateDir: join(folder.path, 'state') }),
  );
  await bringIn(target, 'T001', { 'b.txt': 'b\n' });
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered', files: 1 });
  expect(git(unborn, 'status', '--porcelain', '--branch')).toBe('## main');
  expect(read(unborn, 'b.txt')).toBe('b\n');
});

test('a folder that its repository ignores is a folder of its own', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { '.gitignore': '/scratch/\n' });
  put(repo, { 'scratch/app/a.txt': 'a\n' });
  const target = await targetAt(folder.path, join(repo, 'scratch/app'));
  expect(target.kind).toBe('folder');
  await bringIn(target, 'T001', { 'b.txt': 'b\n' });
  expect(must(await deliver(target)).at).toBe('delivered');
  expect(read(repo, 'scratch/app/b.txt')).toBe('b\n');
});

test('what cannot be a target is refused in a sentence', async () => {
  using folder = tempFolder();
  const stateDir = join(folder.path, 'state');
  const bare = join(folder.path, 'bare.git');
  git(folder.path, 'init', '-q', '--bare', bare);
  const broken = join(folder.path, 'broken');
  put(broken, { '.git': 'gitdir: /nowhere\n' });
  const nested = join(folder.path, 'nested');
  repositoryAt(join(nested, 'inner'), { 'a.txt': 'a\n' });
  expect(await openTarget({ dir: bare, owner, stateDir })).toEqual({
    ok: false,
    error: `${bare} is a bare repository; work in a checkout of it: git clone ${bare} DIR`,
  });
  expect(await openTarget({ dir: broken, owner, stateDir })).toMatchObject({ ok: false });
  expect(await openTarget({ dir: nested, owner: planOwner('../x'), stateDir })).toMatchObject({ ok: false });
  const target = must(await openTarget({ dir: nested, owner, stateDir }));
  expect(await integrationOf(target)).toEqual({
    ok: false,
    error: 'inner: a separate repository inside the target; use it as the target, or move it out',
  });
  expect(await openTarget({ dir: broken, owner, stateDir })).toEqual({
    ok: false,
    error: `plan shop is for ${nested}, not for ${broken}; give the plan another name`,
  });
});

test('what the operator has not committed is named, and not taken', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' });
  put(repo, { 'a.txt': 'mine\n', 'b.txt': 'b\n', '.tutti/.gitignore': '*\n', '.tutti/x': 'x' });
  const target = await targetAt(folder.path, repo);
  expect(await uncommittedFiles(repo)).toEqual(['a.txt', 'b.txt']);
  const workspace = await workspaceFor(target, 'T001');
  expect(read(workspace.dir, 'a.txt')).toBe('a\n');
});

test('a state directory inside the target is no part of it', async () => {
  using folder = tempFolder();
  const dir = join(folder.path, 'home #1');
  put(dir, { 'a.txt': 'a\n' });
  const stateDir = join(dir, '.local/state/tutti/mark');
  const target = must(await openTarget({ dir, owner, stateDir }));
  await bringIn(target, 'T001', { 'b.txt': 'b\n' });
  const files = git(target.gitDir, 'ls-tree', '-r', '--name-only', 'tutti/shop/integration');
  expect(files.split('\n')).toEqual(['a.txt', 'b.txt']);
});

test('a plan that begins anew under the same name keeps what the one before it showed', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' });
  await bringIn(await targetAt(folder.path, repo), 'T001', { 'b.txt': 'b\n' });
  const landed = git(repo, 'rev-parse', 'tutti/shop/integration');
  rmSync(join(folder.path, 'state'), { recursive: true });
  must(await integrationOf(await targetAt(folder.path, repo)));
  expect(git(repo, 'rev-parse', 'tutti/shop/integration')).toBe(git(repo, 'rev-parse', 'main'));
  expect(git(repo, 'for-each-ref', '--format=%(objectname)', 'refs/tutti/former/shop')).toBe(landed);
});

test.for(['sha256', 'shallow', 'linked'])('a repository that is %s can be a target', async (kind) => {
  using folder = tempFolder();
  const first = join(folder.path, 'first');
  if (kind === 'sha256') {
    mkdirSync(first);
    git(first, 'init', '-q', '-b', 'main', '--object-format=sha256');
  }
  repositoryAt(first, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
  put(first, { 'b.txt': 'later\n' });
  git(first, 'commit', '-qam', 'second');
  const repo = kind === 'sha256' ? first : join(folder.path, 'repo');
  if (kind === 'shallow') git(folder.path, 'clone', '-q', '--depth=1', `file://${first}`, repo);
  if (kind === 'linked') git(first, 'worktree', 'add', '-q', '-b', 'side', repo);
  const target = await targetAt(folder.path, repo);
  const [one, two] = [await workspaceFor(target, 'T001'), await workspaceFor(target, 'T002')];
  put(one.dir, { 'a.txt': 'one\n' });
  put(two.dir, { 'c.txt': 'two\n' });
  for (const workspace of [one, two]) {
    expect(git(workspace.dir, 'log', '--format=%s')).toContain('second');
    expect(must(await land(target, workspace, await seal(target, workspace), fine)).at).toBe('landed');
  }
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered', files: 2 });
  expect([read(repo, 'a.txt'), read(repo, 'c.txt'), git(repo, 'status', '--porcelain')]).toEqual([
    'one\n',
    'two\n',
    '',
  ]);
});

test('what is only known to save time may be damaged', async () => {
  using folder = tempFolder();
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' }));
  const workspace = await workspaceFor(target, 'T001');
  put(workspace.dir, { 'a.txt': 'b\n' });
  for (const damage of ['', 'DIRC', 'x'.repeat(200)]) {
    writeFileSync(join(target.state, 'index', 'T001-1'), damage);
    expect((await seal(target, workspace)).files.modified).toEqual(['a.txt']);
  }
});

test('an agent can commit, as you, whatever its environment says', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' });
  git(repo, 'config', 'user.name', 'O"p \\ #1');
  const workspace = await workspaceFor(await targetAt(folder.path, repo), 'T001');
  put(workspace.dir, { 'b.txt': 'b\n' });
  const options = { cwd: workspace.dir, env: { PATH: process.env['PATH'], HOME: folder.path } };
  execFileSync('git', ['add', '-A'], options);
  execFileSync('git', ['commit', '-qm', 'mine'], options);
  expect(git(workspace.dir, 'log', '-1', '--format=%an %ae')).toBe('O"p \\ #1 op@example.com');
});
