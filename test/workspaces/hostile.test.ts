import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deliver } from '../../src/workspace/deliver.ts';
import { land } from '../../src/workspace/landing.ts';
import { bringUpToDate } from '../../src/workspace/bring-up-to-date.ts';
import { rescue } from '../../src/workspace/rescue.ts';
import { changedFiles, sealWorkspace } from '../../src/workspace/seal.ts';
import { restore, snapshot } from '../../src/workspace/snapshot.ts';
import { closeWorkspace } from '../../src/workspace/close.ts';
import { openWorkspace } from '../../src/workspace/worktree.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { bait, canariesIn, misbehave, poison } from './hostile.ts';
import { differences, operatorsThings } from './operator.ts';
import { git, must, put, repositoryAt, seal, targetAt, workspaceFor } from './rig.ts';

const fine = { verify: () => Promise.resolve({ ok: true } as const) };

test('a hostile repository runs nothing, from the first workspace to the delivery', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { ...bait, 'b.txt': 'b\n' });
  const canaries = canariesIn(join(folder.path, 'canaries'));
  poison(repo, canaries);
  rmSync(join(canaries.folder, 'reference-transaction.sang'), { force: true });
  for (const name of canaries.sung()) rmSync(join(canaries.folder, name));
  const target = await targetAt(folder.path, repo);
  const [first, second] = [await workspaceFor(target, 'T001'), await workspaceFor(target, 'T002')];
  put(first.dir, { 'x.evil': 'one\nfirst\n' });
  put(second.dir, { 'x.evil': 'zero\none\ntwo\n', 'c.txt': 'c\n' });
  expect(must(await land(target, first, await seal(target, first), fine)).at).toBe('landed');
  expect(must(await land(target, second, await seal(target, second), fine)).at).toBe('landed');
  const before = must(await snapshot(target, 'T003-1', ['x.evil']));
  put(repo, { 'x.evil': 'hosted\n' });
  must(await restore(target, before, ['x.evil']));
  expect(readFileSync(join(repo, 'x.evil'), 'utf8')).toBe('one\ntwo\n');
  expect(must(await deliver(target)).at).toBe('delivered');
  expect(readFileSync(join(repo, 'x.evil'), 'utf8')).toBe('zero\none\nfirst\n');
  expect(canaries.sung()).toEqual([]);
  // The control: the same repository, and git as everybody calls it.
  put(repo, {
    'x.evil': 'changed\n',
    'x.long': 'changed\n',
    'x.inner': 'changed\n',
    'x.equals': 'changed\n',
  });
  for (const args of [['status'], ['diff'], ['add', '-A']]) {
    try {
      git(repo, ...args);
    } catch {
      // Some of what fires does not speak git's protocol.
    }
  }
  expect(canaries.sung().length).toBeGreaterThanOrEqual(5);
});

test('an agent that poisons its own checkout reaches neither Tutti nor the operator nor another agent', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { ...bait, 'b.txt': 'b\n' });
  const canaries = canariesIn(join(folder.path, 'canaries'));
  const before = operatorsThings(repo);
  const target = await targetAt(folder.path, repo);
  const [first, second] = [await workspaceFor(target, 'T001'), await workspaceFor(target, 'T002')];
  misbehave(first.root, canaries);
  for (const name of canaries.sung()) rmSync(join(canaries.folder, name));
  must(await changedFiles(target, first));
  must(await rescue(target, first));
  put(second.dir, { 'x.evil': 'one\nsecond\n' });
  must(await land(target, second, await seal(target, second), fine));
  const { workspace } = must(await bringUpToDate(target, first));
  misbehave(workspace.root, canaries);
  for (const name of canaries.sung()) rmSync(join(canaries.folder, name));
  must(await openWorkspace(target, { task: 'T001', attempt: 1, run: 'r', includes: true }));
  must(await land(target, workspace, await seal(target, workspace), fine));
  must(await closeWorkspace(target, workspace));
  // Even git as everybody calls it, in the operator's checkout and in the other agent's.
  for (const place of [repo, second.root]) {
    git(place, 'status');
    git(place, 'diff', '--stat');
    git(place, 'log', '-1');
  }
  expect(canaries.sung()).toEqual([]);
  expect(differences(before, operatorsThings(repo)).filter((path) => path !== '.git/index')).toEqual([]);
  expect(git(target.gitDir, 'config', '--list', '--local').split('\n')).toEqual([
    'core.repositoryformatversion=0',
    'core.bare=true',
    'core.filemode=true',
    'user.name=Op',
    'user.email=op@example.com',
  ]);
});

test('the configuration of the plan’s own repository is put back if somebody found and changed it', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), bait);
  const canaries = canariesIn(join(folder.path, 'canaries'));
  const target = await targetAt(folder.path, repo);
  const workspace = await workspaceFor(target, 'T001');
  poison(target.gitDir, canaries);
  for (const name of canaries.sung()) rmSync(join(canaries.folder, name));
  put(workspace.dir, { 'x.evil': 'changed\n' });
  must(await land(target, workspace, await seal(target, workspace), fine));
  expect(canaries.sung()).toEqual([]);
});

/** Ways of pointing a checkout's git at the operator's repository. */
const redirections: Readonly<Record<string, (root: string, repo: string) => void>> = {
  'a .git file': (root, repo) => {
    rmSync(join(root, '.git'), { recursive: true });
    writeFileSync(join(root, '.git'), `gitdir: ${repo}/.git\n`);
  },
  'a link': (root, repo) => {
    rmSync(join(root, '.git'), { recursive: true });
    symlinkSync(join(repo, '.git'), join(root, '.git'));
  },
  commondir: (root, repo) => {
    writeFileSync(join(root, '.git', 'commondir'), `${repo}/.git\n`);
  },
  'core.worktree': (root, repo) => {
    git(root, 'config', 'core.worktree', repo);
  },
  'no .git at all': (root) => {
    rmSync(join(root, '.git'), { recursive: true });
  },
};

test.for(Object.keys(redirections))(
  '%s: the work is still sealed, and nothing reaches the operator',
  async (name) => {
    using folder = tempFolder();
    const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' });
    const before = operatorsThings(repo);
    const target = await targetAt(folder.path, repo);
    const workspace = await workspaceFor(target, 'T001');
    put(workspace.dir, { 'a.txt': 'agent\n' });
    redirections[name]?.(workspace.root, repo);
    expect((await seal(target, workspace)).files.modified).toEqual(['a.txt']);
    expect(await workspaceFor(target, 'T001')).toEqual(workspace);
    expect(git(workspace.root, 'rev-parse', '--show-toplevel', '--absolute-git-dir')).toBe(
      `${workspace.root}\n${workspace.root}/.git`,
    );
    expect(git(workspace.root, 'status', '--porcelain')).toBe('M a.txt');
    expect(differences(before, operatorsThings(repo))).toEqual([]);
  },
);

test('a workspace replaced by a link to the operator’s checkout is refused', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' });
  const target = await targetAt(folder.path, repo);
  const workspace = await workspaceFor(target, 'T001');
  renameSync(workspace.root, `${workspace.root}-away`);
  symlinkSync(repo, workspace.root);
  expect(await openWorkspace(target, { task: 'T001', attempt: 1, run: 'r', includes: true })).toEqual({
    ok: false,
    error: `${workspace.root} is no longer the workspace that was made`,
  });
  expect((await sealWorkspace(target, workspace, { message: 'x', trailers: {} })).ok).toBe(false);
  expect((await closeWorkspace(target, workspace)).ok).toBe(false);
  expect(existsSync(join(repo, 'a.txt'))).toBe(true);
});

test('so is one whose target became a link out of it', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'app/a.txt': 'a\n' });
  const target = await targetAt(folder.path, join(repo, 'app'));
  const workspace = await workspaceFor(target, 'T001');
  rmSync(workspace.dir, { recursive: true });
  expect(must(await openWorkspace(target, { task: 'T001', attempt: 1, run: 'r', includes: true })).dir).toBe(
    workspace.dir,
  );
  rmSync(workspace.dir, { recursive: true });
  symlinkSync(join(repo, 'app'), workspace.dir);
  expect(await openWorkspace(target, { task: 'T001', attempt: 1, run: 'r', includes: true })).toEqual({
    ok: false,
    error: `${workspace.dir} leads out of its workspace; remove the link`,
  });
});

test.for([
  ['/etc/passwd', 'a link to /etc/passwd, outside the project; remove it'],
  ['../../../up', 'a link to ../../../up, outside the project; remove it'],
  ['.git/config', 'a link to .git/config, outside the project; remove it'],
] as const)('a link to %s is not sealed', async ([to, said]) => {
  using folder = tempFolder();
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' }));
  const workspace = await workspaceFor(target, 'T001');
  symlinkSync(to, join(workspace.dir, 'link'));
  expect(await sealWorkspace(target, workspace, { message: 'x', trailers: {} })).toEqual({
    ok: false,
    error: `link is ${said}`,
  });
});

test('a repository inside the workspace is refused, not lost', async () => {
  using folder = tempFolder();
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' }));
  const workspace = await workspaceFor(target, 'T001');
  repositoryAt(join(workspace.dir, 'inner'), { 'b.txt': 'b\n' });
  const sealed = await sealWorkspace(target, workspace, { message: 'x', trailers: {} });
  expect(sealed).toEqual({
    ok: false,
    error: 'inner is a separate repository, and only its name would be kept; remove inner/.git',
  });
  expect((await closeWorkspace(target, workspace)).ok).toBe(false);
  expect(existsSync(join(workspace.dir, 'inner', 'b.txt'))).toBe(true);
  rmSync(join(workspace.dir, 'inner', '.git'), { recursive: true });
  expect((await seal(target, workspace)).files.created).toEqual(['inner/b.txt']);
});

test('a submodule of the operator’s stays what it is', async () => {
  using folder = tempFolder();
  const inner = repositoryAt(join(folder.path, 'inner'), { 'i.txt': 'i\n' });
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' });
  git(repo, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
  git(repo, 'commit', '-qm', 'with a submodule');
  const target = await targetAt(folder.path, repo);
  const workspace = await workspaceFor(target, 'T001');
  mkdirSync(join(workspace.dir, 'sub'), { recursive: true });
  put(workspace.dir, { 'a.txt': 'changed\n' });
  const sealed = await seal(target, workspace);
  expect(sealed.files).toEqual({ created: [], modified: ['a.txt'], deleted: [] });
  must(await land(target, workspace, sealed, fine));
  expect(must(await deliver(target)).at).toBe('delivered');
  expect(git(repo, 'status', '--porcelain')).toBe('');
  expect(readFileSync(join(repo, 'sub/i.txt'), 'utf8')).toBe('i\n');
});
