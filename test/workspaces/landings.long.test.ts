import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { land } from '../../src/workspace/landing.ts';
import { bringUpToDate } from '../../src/workspace/bring-up-to-date.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { differences, operatorsThings } from './operator.ts';
import { bringIn, project, redCommits, verified } from './parts.ts';
import { git, must, put, repositoryAt, seal, targetAt, workspaceFor } from './rig.ts';

const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `T${String(at + 1).padStart(3, '0')}`);

test('50 parallel landings keep the integration branch green at every commit', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), project);
  const before = operatorsThings(repo);
  const target = await targetAt(folder.path, repo);
  const workspaces = await Promise.all(names(50).map((task) => workspaceFor(target, task)));
  const ends = await Promise.all(workspaces.map((workspace, at) => bringIn(target, workspace, at, verified)));
  const sum = (pick: 'conflicts' | 'broken') => ends.reduce((all, end) => all + end[pick], 0);
  process.stdout.write(
    `landings: 50 landed, ${sum('conflicts')} conflicts, ${sum('broken')} merged and broken\n`,
  );
  const branch = 'tutti/shop/integration';
  expect(git(repo, 'rev-list', '--count', '--first-parent', `main..${branch}`)).toBe('50');
  expect(git(repo, 'rev-list', '--count', '--min-parents=2', branch)).toBe('0');
  expect(await redCommits(target, join(folder.path, 'every'))).toEqual([]);
  expect(git(repo, 'ls-tree', '--name-only', `${branch}:parts`).split('\n')).toEqual([...names(50), 'start']);
  expect(git(repo, 'show', `${branch}:list.txt`).split('\n').toSorted()).toEqual([
    'T006',
    'T016',
    'T026',
    'T036',
    'T046',
    'start',
  ]);
  expect(sum('conflicts')).toBeGreaterThan(0);
  expect(sum('broken')).toBeGreaterThan(0);
  expect(differences(before, operatorsThings(repo))).toEqual([]);
});

test('that test can fail: landings that are not judged again make a red commit', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), project));
  const workspaces = await Promise.all(names(2).map((task) => workspaceFor(target, task)));
  const unjudged = () => Promise.resolve({ ok: true } as const);
  await Promise.all(workspaces.map((workspace, at) => bringIn(target, workspace, at, unjudged)));
  expect(await redCommits(target, join(folder.path, 'every'))).toHaveLength(1);
});

test('what merges and then breaks does not land, and names the task that it breaks', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' });
  const target = await targetAt(folder.path, repo);
  const [first, second] = [await workspaceFor(target, 'T001'), await workspaceFor(target, 'T002')];
  put(first.dir, { 'b.txt': 'b\n' });
  put(second.dir, { 'c.txt': 'c\n' });
  const fine = () => Promise.resolve({ ok: true } as const);
  const landed = must(await land(target, first, await seal(target, first), { verify: fine }));
  const broken = { ok: false, task: 'T001', criterion: 'b alone', output: 'c is there' } as const;
  const end = must(
    await land(target, second, await seal(target, second), { verify: () => Promise.resolve(broken) }),
  );
  expect(end).toMatchObject({ at: 'broken', task: 'T001', criterion: 'b alone', output: 'c is there' });
  expect(git(repo, 'rev-parse', 'tutti/shop/integration')).toBe(landed.at === 'landed' ? landed.commit : '');
});

test('work with a conflict left in it does not land', async () => {
  using folder = tempFolder();
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), project));
  const [first, second] = [await workspaceFor(target, 'T006'), await workspaceFor(target, 'T016')];
  await bringIn(target, first, 5, verified);
  put(second.dir, { 'list.txt': 'start\nT016\n' });
  const fine = { verify: () => Promise.resolve({ ok: true } as const) };
  expect(must(await land(target, second, await seal(target, second), fine)).at).toBe('conflict');
  const { workspace } = must(await bringUpToDate(target, second));
  expect(readFileSync(join(workspace.dir, 'list.txt'), 'utf8')).toContain('<<<<<<< tutti/shop/integration');
  expect(must(await land(target, workspace, await seal(target, workspace), fine))).toEqual({
    at: 'conflict',
    files: ['list.txt'],
  });
});
