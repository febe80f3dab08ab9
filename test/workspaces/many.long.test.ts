import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Target, Workspace } from '../../src/model/workspace.ts';
import { sweep } from '../../src/workspace/sweep.ts';
import { closeWorkspace } from '../../src/workspace/close.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { differences, operatorsThings } from './operator.ts';
import { git, must, put, repositoryAt, targetAt, workspaceFor } from './rig.ts';

const run = promisify(execFile);
const names = (from: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `T${String(from + at).padStart(3, '0')}`);
const source = Object.fromEntries(names(0, 40).map((name) => [`src/${name}.txt`, `${name}\n`]));

function expectWhole(workspaces: readonly Workspace[], base: string): void {
  for (const { root, branch } of workspaces) {
    expect(readdirSync(join(root, 'src'))).toHaveLength(40);
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(git(root, 'rev-parse', 'HEAD', '--abbrev-ref', 'HEAD')).toBe(`${base}\n${branch}`);
  }
  expect(new Set(workspaces.map(({ env }) => env['TUTTI_PORT_BASE'])).size).toBe(workspaces.length);
}

async function branches(target: Target): Promise<string> {
  expect((await sweep(target)).removed).toEqual([]);
  return git(target.gitDir, 'for-each-ref', '--format=%(refname)', 'refs/heads');
}

test('50 workspaces made at once are 50 workspaces, and closed they leave nothing', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), source);
  const before = operatorsThings(repo);
  const target = await targetAt(folder.path, repo);
  const workspaces = await Promise.all(names(1, 50).map((task) => workspaceFor(target, task)));
  expectWhole(workspaces, git(repo, 'rev-parse', 'HEAD'));
  expect(await branches(target)).toBe('refs/heads/tutti/shop/integration');
  for (const workspace of workspaces) must(await closeWorkspace(target, workspace));
  expect(readdirSync(join(target.state, 'work'))).toEqual([]);
  expect(readdirSync(join(folder.path, 'state', 'ports'))).toEqual([]);
  expect(await branches(target)).toBe('refs/heads/tutti/shop/integration');
  expect(differences(before, operatorsThings(repo))).toEqual([]);
});

test('so are 50 made by five processes that know nothing of each other', { timeout: 300_000 }, async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), source);
  const before = operatorsThings(repo);
  const processes = [1, 11, 21, 31, 41].map(async (from) => {
    // One task in two of them: both get the same workspace.
    const tasks = [...names(from, 10), 'T099'];
    const { stdout } = await run(process.execPath, [
      repository('test/workspaces/member.ts'),
      folder.path,
      repo,
      ...tasks,
    ]);
    return JSON.parse(stdout) as Workspace[];
  });
  const made = (await Promise.all(processes)).flat();
  const workspaces = [...new Map(made.map((workspace) => [workspace.root, workspace])).values()];
  expect(made).toHaveLength(55);
  expect(workspaces).toHaveLength(51);
  expectWhole(workspaces, git(repo, 'rev-parse', 'HEAD'));
  expect(await branches(await targetAt(folder.path, repo))).toBe('refs/heads/tutti/shop/integration');
  expect(differences(before, operatorsThings(repo))).toEqual([]);
});

test('a workspace knows its ports and its name, and has the ignored files that .worktreeinclude names', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), {
    '.gitignore': '.env*\nout/\n',
    '.worktreeinclude': '.env\nkeys/*\nout/keep.txt\n',
    'a.txt': 'a\n',
  });
  put(repo, {
    '.env': 'A=1\n',
    '.env.other': 'B=1\n',
    'keys/k': 'not ignored\n',
    'out/keep.txt': 'k\n',
    'out/no.txt': 'n\n',
  });
  const target = await targetAt(folder.path, repo);
  const workspace = await workspaceFor(target, 'T001');
  expect(readFileSync(join(workspace.root, '.env'), 'utf8')).toBe('A=1\n');
  expect(readFileSync(join(workspace.root, 'out/keep.txt'), 'utf8')).toBe('k\n');
  for (const absent of ['.env.other', 'keys', 'out/no.txt'])
    expect(existsSync(join(workspace.root, absent))).toBe(false);
  const { TUTTI_PORT_BASE: ports = '' } = workspace.env;
  expect(Number(ports)).toBeGreaterThanOrEqual(20_000);
  expect(readFileSync(join(workspace.dir, '.tutti-workspace.env'), 'utf8')).toBe(
    `TUTTI_WORKSPACE_NAME=shop-T001-1\nTUTTI_PORT_BASE=${ports}\nTUTTI_PORT_COUNT=20\n`,
  );
  expect(git(workspace.root, 'status', '--porcelain')).toBe('');
  expect(must(await closeWorkspace(target, workspace))).toBeNull();
});
