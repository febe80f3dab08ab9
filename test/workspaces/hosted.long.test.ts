import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Target } from '../../src/model/workspace.ts';
import { deliver } from '../../src/workspace/deliver.ts';
import { land } from '../../src/workspace/landing.ts';
import { snapshot } from '../../src/workspace/snapshot.ts';
import { takeOver } from '../../src/workspace/take-over.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { differences, operatorsThings } from './operator.ts';
import { git, must, put, repositoryAt, seal, targetAt, workspaceFor } from './rig.ts';

const fine = { verify: () => Promise.resolve({ ok: true } as const) };
const lines = 'one\ntwo\nthree\nfour\nfive\n';

/** A task that an agent does in the operator's own checkout. */
async function hosted(target: Target, task: string, files: readonly string[], act: () => void) {
  const before = must(await snapshot(target, `${task}-1`, files));
  act();
  const after = must(await snapshot(target, `${task}-1-now`, files));
  const trailers = { 'Tutti-Task': task };
  const work = { task, attempt: 1, by: 'ada', before, after, paths: files, message: task, trailers };
  const take = () => takeOver(target, work, { now: after, later: new Set(), ...fine });
  return { take, end: await take() };
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
    expect(must(first.end)).toMatchObject({ at: 'taken' });
    expect(must(await first.take())).toEqual({ at: 'there' });
    const second = await hosted(target, 'T003', ['a.txt'], () => {
      put(dir, { 'a.txt': lines.replace('five', 'hosted again') });
    });
    expect(must(second.end)).toMatchObject({ at: 'taken' });
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

test.for(['git', 'folder'])(
  '%s: what was done by hand and went on in a workspace is delivered over it; what somebody changed since is not',
  async (kind) => {
    using folder = tempFolder();
    const repo = join(folder.path, 'repo');
    if (kind === 'git') repositoryAt(repo, { 'a.txt': lines });
    else put(repo, { 'a.txt': lines });
    const target = await targetAt(folder.path, repo);
    await workspaceFor(target, 'T000');
    await hosted(target, 'T001', ['a.txt', 'b.txt', 'c.txt'], () =>
      put(repo, { 'a.txt': lines.replace('one', 'hand'), 'b.txt': 'hand\n', 'c.txt': 'hand\n' }),
    );
    const driven = await workspaceFor(target, 'T002');
    put(driven.dir, { 'a.txt': lines.replace('one', 'hand and run'), 'b.txt': 'hand and run\n' });
    rmSync(join(driven.dir, 'c.txt'));
    must(await land(target, driven, await seal(target, driven), fine));
    put(repo, { 'b.txt': 'mine\n' });
    expect(must(await deliver(target))).toMatchObject({ at: 'refused', files: ['b.txt'] });
    expect(readFileSync(join(repo, 'a.txt'), 'utf8')).toBe(lines.replace('one', 'hand'));
    put(repo, { 'b.txt': 'hand\n' });
    expect(must(await deliver(target))).toMatchObject({ at: 'delivered' });
    expect(readFileSync(join(repo, 'a.txt'), 'utf8')).toBe(lines.replace('one', 'hand and run'));
    expect(readFileSync(join(repo, 'b.txt'), 'utf8')).toBe('hand and run\n');
    expect(existsSync(join(repo, 'c.txt'))).toBe(false);
    if (kind === 'git') expect(git(repo, 'status', '--porcelain')).toBe('');
  },
);

test('what was done by hand and committed since meets what went on from it; control: what was edited since does not', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': lines });
  const target = await targetAt(folder.path, repo);
  await workspaceFor(target, 'T000');
  await hosted(target, 'T001', ['b.txt'], () => put(repo, { 'b.txt': 'hand\n' }));
  const driven = await workspaceFor(target, 'T002');
  put(driven.dir, { 'b.txt': 'hand and run\n' });
  must(await land(target, driven, await seal(target, driven), fine));
  put(repo, { 'b.txt': 'mine\n' });
  git(repo, 'add', '-A');
  git(repo, 'commit', '-qm', 'edited');
  expect(must(await deliver(target))).toMatchObject({ at: 'refused', files: ['b.txt'] });
  put(repo, { 'b.txt': 'hand\n' });
  git(repo, 'commit', '-qam', 'as it was');
  expect(must(await deliver(target))).toMatchObject({ at: 'delivered' });
  expect(readFileSync(join(repo, 'b.txt'), 'utf8')).toBe('hand and run\n');
  expect(git(repo, 'log', '-1', '--format=%s', 'main^2')).toBe('T002: work');
  expect(git(repo, 'status', '--porcelain')).toBe('');
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
  expect(must(end)).toEqual({ at: 'conflict', files: ['a.txt'] });
  const out = await hosted(target, 'T003', ['link'], () => {
    symlinkSync('/etc/passwd', join(repo, 'link'));
  });
  expect(out.end).toMatchObject({ ok: false, error: expect.stringContaining('outside the project') });
  expect(git(repo, 'log', '-1', '--format=%s', 'tutti/shop/integration')).toBe('T001: work');
});
