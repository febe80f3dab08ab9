import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restore, snapshot } from '../../src/workspace/snapshot.ts';
import { rescues } from '../../src/workspace/rescue.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { differences, operatorsThings } from './operator.ts';
import { git, must, put, repositoryAt, targetAt } from './rig.ts';

const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');

test('an agent in the operator’s own checkout: exactly its files go back, and nothing is lost', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), {
    '.gitignore': 'out/\n*.log\n',
    'app/a.txt': 'a\n',
    'app/b.txt': 'b\n',
    'app/gone.txt': 'g\n',
  });
  put(repo, {
    'app/kept.log': 'tracked although ignored\n',
    'app/a.txt': 'dirty\n',
    'app/out/o.txt': 'ignored\n',
  });
  git(repo, 'add', '-f', 'app/kept.log');
  const target = await targetAt(folder.path, join(repo, 'app'));
  const declared = ['a.txt', 'gone.txt', 'new/n.txt', 'kept.log', 'out/o.txt', 'out/p.txt'];
  const before = operatorsThings(repo);
  const commit = must(await snapshot(target, 'T001-1', declared));
  expect(differences(before, operatorsThings(repo))).toEqual([]);
  put(target.dir, {
    'a.txt': 'agent\n',
    'new/n.txt': 'n\n',
    'b.txt': 'operator, meanwhile\n',
    'kept.log': 'agent\n',
  });
  put(target.dir, { 'out/o.txt': 'agent\n', 'out/p.txt': 'p\n' });
  rmSync(join(target.dir, 'gone.txt'));
  const end = must(await restore(target, commit, declared));
  expect(end).toEqual({
    restored: ['a.txt', 'gone.txt', 'kept.log', 'out/o.txt'],
    removed: ['new/n.txt', 'out/p.txt'],
    rescue: 'refs/tutti/rescue/shop/T001-1',
  });
  expect([read(target.dir, 'a.txt'), read(target.dir, 'gone.txt'), read(target.dir, 'kept.log')]).toEqual([
    'dirty\n',
    'g\n',
    'tracked although ignored\n',
  ]);
  expect([read(target.dir, 'out/o.txt'), read(target.dir, 'b.txt')]).toEqual([
    'ignored\n',
    'operator, meanwhile\n',
  ]);
  expect(existsSync(join(target.dir, 'new/n.txt'))).toBe(false);
  const [kept] = await rescues(target);
  expect(kept).toMatchObject({ ref: end.rescue, name: 'T001-1' });
  for (const [path, content] of [
    ['a.txt', 'agent'],
    ['new/n.txt', 'n'],
    ['out/p.txt', 'p'],
  ] as const) {
    expect(git(target.gitDir, 'show', `${end.rescue ?? ''}:${path}`)).toBe(content);
  }
  expect(must(await restore(target, commit, declared))).toEqual({ restored: [], removed: [], rescue: null });
  const index = (things: ReadonlyMap<string, string>) => things.get('.git/index');
  expect(index(operatorsThings(repo))).toBe(index(before));
});

test('a file that became a link to somewhere else is put back as a file', async () => {
  using folder = tempFolder();
  using outside = tempFolder();
  put(outside.path, { 'x.txt': 'not yours\n' });
  const dir = join(folder.path, 'plain');
  put(dir, { 'a.txt': 'a\n', 'in/b.txt': 'b\n' });
  const target = await targetAt(folder.path, dir);
  const commit = must(await snapshot(target, 'T001-1'));
  rmSync(join(dir, 'a.txt'));
  symlinkSync(join(outside.path, 'x.txt'), join(dir, 'a.txt'));
  rmSync(join(dir, 'in'), { recursive: true });
  symlinkSync(outside.path, join(dir, 'in'));
  expect(must(await restore(target, commit, ['a.txt', 'in/b.txt'])).restored).toEqual(['a.txt', 'in/b.txt']);
  expect([read(dir, 'a.txt'), read(dir, 'in/b.txt')]).toEqual(['a\n', 'b\n']);
  expect([read(outside.path, 'x.txt'), existsSync(join(outside.path, 'b.txt'))]).toEqual([
    'not yours\n',
    false,
  ]);
});

test('what is no snapshot, no name or no file of the target is refused', async () => {
  using folder = tempFolder();
  const target = await targetAt(folder.path, repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' }));
  expect(await snapshot(target, '../x')).toMatchObject({ ok: false });
  const commit = must(await snapshot(target, 'T001-1'));
  for (const path of ['../a.txt', '/etc/passwd', '', './a.txt']) {
    expect(await restore(target, commit, [path])).toMatchObject({ ok: false });
  }
  const other = git(target.root, 'rev-parse', 'HEAD');
  expect(await restore(target, other, ['a.txt'])).toEqual({
    ok: false,
    error: `there is no snapshot ${other}`,
  });
});

test('a target that does not exist yet has a snapshot too', async () => {
  using folder = tempFolder();
  const target = await targetAt(folder.path, join(folder.path, 'later'));
  const commit = must(await snapshot(target, 'T001-1', ['a.txt']));
  put(target.dir, { 'a.txt': 'a\n' });
  expect(must(await restore(target, commit, ['a.txt'])).removed).toEqual(['a.txt']);
});

test('a repository inside that has no commit yet is left out, whatever it is called, and the rest is recorded', async () => {
  using folder = tempFolder();
  const repo = repositoryAt(join(folder.path, 'repo'), { 'a.txt': 'a\n' });
  const names = ['made', "src/it's [new]", 'src/b'];
  for (const name of names) {
    put(repo, { [`${name}/x.txt`]: 'x\n' });
    git(join(repo, name), 'init', '-q');
  }
  const target = await targetAt(folder.path, repo);
  const commit = must(await snapshot(target, 'T001-1'));
  put(repo, { 'a.txt': 'b\n', 'made/x.txt': 'y\n' });
  expect(must(await restore(target, commit, ['a.txt']))).toMatchObject({ restored: ['a.txt'], removed: [] });
  expect(names.map((name) => existsSync(join(repo, name, '.git')))).toEqual([true, true, true]);
});
