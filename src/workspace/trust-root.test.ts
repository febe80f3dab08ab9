import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { foldersUpTo, trustRootOf } from './trust-root.ts';

function git(folder: string, ...args: readonly string[]): void {
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@x', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...who, ...args], { cwd: folder, stdio: 'pipe' });
}

/** A folder with a repository `main`, which has one commit. */
function withMain(folder: string): readonly [place: string, main: string] {
  const place = realpathSync(folder);
  const main = join(place, 'main');
  mkdirSync(join(main, 'sub'), { recursive: true });
  git(main, 'init', '-q');
  writeFileSync(join(main, 'sub/a'), 'A');
  git(main, 'add', '-A');
  git(main, 'commit', '-q', '-m', 'x');
  return [place, main];
}

test('a folder belongs to the checkout around it; outside git, to itself', () => {
  using folder = tempFolder();
  const [place, main] = withMain(folder.path);
  expect(trustRootOf(join(main, 'sub'))).toEqual({ checkout: main, root: main, isGit: true });
  mkdirSync(join(place, 'plain/below'), { recursive: true });
  const below = join(place, 'plain/below');
  expect(trustRootOf(below)).toEqual({ checkout: below, root: below, isGit: false });
  mkdirSync(join(place, 'plain/.git'));
  expect(trustRootOf(below).root).toBe(below);
  expect(trustRootOf(join(below, 'not-there')).root).toBe(join(below, 'not-there'));
  symlinkSync(main, join(place, 'link'));
  expect(trustRootOf(join(place, 'link/sub')).root).toBe(main);
});

test('a worktree belongs to the main checkout, wherever it is and however it was moved by git', () => {
  using folder = tempFolder();
  const [place, main] = withMain(folder.path);
  const tree = join(place, 'far/tree');
  git(main, 'worktree', 'add', '-q', tree);
  expect(trustRootOf(join(tree, 'sub'))).toEqual({ checkout: tree, root: main, isGit: true });
  git(main, 'worktree', 'move', tree, join(place, 'moved'));
  expect(trustRootOf(join(place, 'moved')).root).toBe(main);
  git(place, 'clone', '-q', '--bare', main, 'bare.git');
  git(join(place, 'bare.git'), 'worktree', 'add', '-q', join(place, 'of-bare'));
  expect(trustRootOf(join(place, 'of-bare')).root).toBe(join(place, 'bare.git'));
});

test('a copy, a clone and a submodule belong to themselves', () => {
  using folder = tempFolder();
  const [place, main] = withMain(folder.path);
  cpSync(main, join(place, 'copy'), { recursive: true });
  expect(trustRootOf(join(place, 'copy')).root).toBe(join(place, 'copy'));
  git(place, 'clone', '-q', main, 'clone');
  expect(trustRootOf(join(place, 'clone')).root).toBe(join(place, 'clone'));
  git(main, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', join(place, 'clone'), 'module');
  expect(trustRootOf(join(main, 'module')).root).toBe(join(main, 'module'));
});

test('a folder that only says to be of another repository is not', () => {
  using folder = tempFolder();
  const [place, main] = withMain(folder.path);
  const tree = join(place, 'tree');
  git(main, 'worktree', 'add', '-q', tree);
  const told = readFileSync(join(tree, '.git'), 'utf8');
  const forged = (name: string, content: string): string => {
    mkdirSync(join(place, name));
    writeFileSync(join(place, name, '.git'), content);
    return join(place, name);
  };
  // The worktree itself is the control.
  expect(trustRootOf(tree).root).toBe(main);
  const folders = [
    forged('same', told),
    forged('main-git', `gitdir: ${main}/.git\n`),
    forged('nowhere', 'gitdir: /not/there\n'),
    forged('no-form', 'something else\n'),
  ];
  // A git folder of its own, which names the other as its common one, and itself as the place.
  const own = forged('own-git', `gitdir: git\n`);
  mkdirSync(join(own, 'git'));
  writeFileSync(join(own, 'git/commondir'), `${main}/.git\n`);
  writeFileSync(join(own, 'git/gitdir'), `${own}/.git\n`);
  mkdirSync(join(place, 'linked'));
  symlinkSync(join(main, '.git'), join(place, 'linked/.git'));
  for (const each of [...folders, own, join(place, 'linked')]) expect(trustRootOf(each).root).toBe(each);
  // Moved by hand: git does not know of it either, until somebody repairs it.
  renameSync(tree, join(place, 'by-hand'));
  expect(trustRootOf(join(place, 'by-hand')).root).toBe(join(place, 'by-hand'));
});

test('folders are listed from the lowest up', () => {
  using folder = tempFolder();
  const place = realpathSync(folder.path);
  const low = join(place, 'a/b');
  mkdirSync(low, { recursive: true });
  expect(foldersUpTo(low, place)).toEqual([low, join(place, 'a'), place]);
  expect(foldersUpTo(place, place)).toEqual([place]);
  expect(foldersUpTo(dirname(place), place)).toEqual([dirname(place)]);
});
