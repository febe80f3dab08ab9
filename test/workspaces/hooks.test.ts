import { join } from 'node:path';
import { expect, test } from 'vitest';
import { closeWorkspace } from '../../src/workspace/close.ts';
import { setUpLanding, setUpWorkspace, tearDownWorkspace } from '../../src/workspace/hooks.ts';
import { land } from '../../src/workspace/landing.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { must, put, repositoryAt, seal, targetAt, workspaceFor } from './rig.ts';

test('a workspace is prepared once, in its folder and with its environment; a failure is repeated', async () => {
  using folder = tempFolder();
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), { 'app/a.txt': 'a\n' }));
  const workspace = await workspaceFor(target, 'T001');
  const ran: unknown[] = [];
  const ends: (string | null)[] = [null, 'ended with exit code 2'];
  const run = (...asked: readonly unknown[]) => {
    ran.push(asked);
    return Promise.resolve(ends.shift() ?? null);
  };
  const commands = [['npm', 'ci'], ['make']];
  expect(await setUpWorkspace(target, workspace, commands, run)).toEqual({
    ok: false,
    error: 'workspace.setup: `make` ended with exit code 2',
  });
  must(await setUpWorkspace(target, workspace, commands, run));
  must(await setUpWorkspace(target, workspace, commands, run));
  expect(ran).toHaveLength(4);
  expect(ran[0]).toEqual([['npm', 'ci'], workspace.dir, workspace.env]);
  must(await setUpWorkspace(target, workspace, [['other']], run));
  expect(ran).toHaveLength(5);
  must(await closeWorkspace(target, workspace));
  must(await setUpWorkspace(target, await workspaceFor(target, 'T001'), [['other']], run));
  expect(ran).toHaveLength(6);
});

test('a workspace is prepared again when a lock file has changed, and only then', async () => {
  using folder = tempFolder();
  const files = { 'package.json': '{}\n', 'package-lock.json': '{}\n' };
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), files));
  const workspace = await workspaceFor(target, 'T001');
  let ran = 0;
  const prepare = async () => {
    const counted = () => {
      ran += 1;
      return Promise.resolve(null);
    };
    must(await setUpWorkspace(target, workspace, [['npm', 'ci']], counted));
    return ran;
  };
  expect([await prepare(), await prepare()]).toEqual([1, 1]);
  put(workspace.dir, { 'package.json': '{"name":"a"}\n', 'index.js': 'a()\n' });
  expect(await prepare()).toBe(1);
  put(workspace.dir, { 'package-lock.json': '{"lockfileVersion":3}\n' });
  expect([await prepare(), await prepare()]).toEqual([2, 2]);
});

test('a setup that failed runs again, also when the lock files are as they were before it', async () => {
  using folder = tempFolder();
  const lock = 'package-lock.json';
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), { [lock]: '{}\n' }));
  const workspace = await workspaceFor(target, 'T001');
  const ends = [null, 'no such version', null];
  const prepare = () =>
    setUpWorkspace(target, workspace, [['npm', 'ci']], () => Promise.resolve(ends.shift() ?? null));
  must(await prepare());
  put(workspace.dir, { [lock]: '{"lockfileVersion":3}\n' });
  expect((await prepare()).ok).toBe(false);
  put(workspace.dir, { [lock]: '{}\n' });
  must(await prepare());
  expect(ends).toEqual([]);
});

test('so is the folder where merged work is judged', async () => {
  using folder = tempFolder();
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' }));
  const [first, second, third] = await Promise.all(
    ['T001', 'T002', 'T003'].map((task) => workspaceFor(target, task)),
  );
  const places: string[] = [];
  const run = (_argv: readonly string[], cwd: string) => {
    places.push(cwd);
    return Promise.resolve(null);
  };
  const verify = async () => {
    must(await setUpLanding(target, [['npm', 'ci']], run));
    return { ok: true } as const;
  };
  for (const workspace of [first, second, third]) {
    if (workspace === undefined) throw new Error('no workspace');
    put(workspace.dir, { [`${workspace.task}.txt`]: 'x\n' });
    must(await land(target, workspace, await seal(target, workspace), { verify }));
  }
  expect(places).toEqual([join(target.state, 'work', 'landing')]);
});

test('a workspace is taken down where it is, and one that is gone is not', async () => {
  using folder = tempFolder();
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' }));
  const workspace = await workspaceFor(target, 'T001');
  const fails = () => Promise.resolve('timed out');
  expect(await tearDownWorkspace(workspace, [['stop']], fails)).toEqual({
    ok: false,
    error: 'workspace.teardown: `stop` timed out',
  });
  must(await closeWorkspace(target, workspace));
  must(await tearDownWorkspace(workspace, [['stop']], fails));
});
