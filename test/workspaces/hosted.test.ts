import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Target } from '../../src/model/plan/workspace.ts';
import { deliver } from '../../src/workspace/deliver.ts';
import { landHosted } from '../../src/workspace/land-hosted.ts';
import { land } from '../../src/workspace/landing.ts';
import { snapshot } from '../../src/workspace/snapshot.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { differences, operatorsThings } from './operator.ts';
import { git, must, put, repositoryAt, seal, targetAt, workspaceFor } from './rig.ts';

const fine = { verify: () => Promise.resolve({ ok: true } as const) };
const lines = 'one\ntwo\nthree\nfour\nfive\n';

/** A task that an agent does in the operator's own checkout. */
async function hosted(target: Target, task: string, files: readonly string[], act: () => void) {
  const commit = must(await snapshot(target, `${task}-1`, files));
  act();
  const work = { task, attempt: 1, snapshot: commit, files, message: task, trailers: { 'Tutti-Task': task } };
  return { work, end: must(await landHosted(target, work)) };
}

test.for(['git', 'folder'])(
  '%s: what a hosted agent did reaches the workspaces, together with what they did',
  async (kind) => {
    using folder = tempFolder();
    const repo = join(folder.path, 'repo');
    const files = { 'app/a.txt': lines, 'app/gone.txt': 'g\n' };
    if (kind === 'git') repositoryAt(repo, files);
    else put(repo, files);
    const target = await targetAt(folder.path, join(repo, 'app'));
    const { dir } = target;
    const driven = await workspaceFor(target, 'T001');
    put(driven.dir, { 'a.txt': lines.replace('one', 'driven') });
    must(await land(target, driven, await seal(target, driven), fine));
    const before = operatorsThings(repo);
    const own = ['a.txt', 'new.txt', 'gone.txt'];
    const first = await hosted(target, 'T002', own, () => {
      put(dir, { 'a.txt': lines.replace('five', 'hosted'), 'new.txt': 'n\n', 'undeclared.txt': 'u\n' });
      rmSync(join(dir, 'gone.txt'));
    });
    expect(first.end).toMatchObject({ at: 'landed' });
    expect(must(await landHosted(target, first.work))).toBeNull();
    const second = await hosted(target, 'T003', ['a.txt'], () => {
      put(dir, { 'a.txt': lines.replace('five', 'hosted again') });
    });
    expect(second.end).toMatchObject({ at: 'landed' });
    const touched = ['a.txt', 'gone.txt', 'new.txt', 'undeclared.txt'].map((name) => `app/${name}`);
    expect(differences(before, operatorsThings(repo))).toEqual(touched);
    const workspace = await workspaceFor(target, 'T004');
    expect(readFileSync(join(workspace.dir, 'a.txt'), 'utf8')).toBe(
      'driven\ntwo\nthree\nfour\nhosted again\n',
    );
    expect(git(workspace.dir, 'ls-files').split('\n')).toEqual(['a.txt', 'new.txt']);
    expect(git(workspace.dir, 'log', '-3', '--format=%s')).toBe('T003\nT002\nT001: work');
  },
);

test('hosted work alone is delivered although its files are there already', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': lines });
  const target = await targetAt(folder.path, repo);
  await hosted(target, 'T001', ['a.txt', 'b.txt'], () => put(repo, { 'a.txt': 'hosted\n', 'b.txt': 'b\n' }));
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered', files: 2 });
  expect(git(repo, 'status', '--porcelain')).toBe('');
  expect(git(repo, 'log', '-1', '--format=%B', 'main')).toBe('T001\n\nTutti-Task: T001');
});

test('the same lines as a task in a workspace are a conflict, and a link out is refused', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': lines });
  const target = await targetAt(folder.path, repo);
  const driven = await workspaceFor(target, 'T001');
  put(driven.dir, { 'a.txt': lines.replace('one', 'driven') });
  must(await land(target, driven, await seal(target, driven), fine));
  const { end } = await hosted(target, 'T002', ['a.txt'], () =>
    put(repo, { 'a.txt': lines.replace('one', 'hosted') }),
  );
  expect(end).toEqual({ at: 'conflict', files: ['a.txt'] });
  const commit = must(await snapshot(target, 'T003-1'));
  symlinkSync('/etc/passwd', join(repo, 'link'));
  const work = { task: 'T003', attempt: 1, snapshot: commit, files: ['link'], message: 'x', trailers: {} };
  expect(await landHosted(target, work)).toMatchObject({ ok: false });
});
