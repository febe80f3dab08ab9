import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type TempFolder, tempFolder } from '../../test/rig/temp-folder.ts';
import { isTracked } from './tracked.ts';

const identity = ['-c', 'user.name=x', '-c', 'user.email=x@x', '-c', 'protocol.file.allow=always'];

function git(folder: string, ...args: readonly string[]): void {
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'pipe' });
}

function write(folder: string, name: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), 'x\n');
}

/** A repository that commits the files with these names, and has the others beside them. */
function repository({ path }: TempFolder, committed: readonly string[], beside: readonly string[]): string {
  const repo = join(realpathSync(path), 'repo');
  for (const name of committed) write(repo, name);
  mkdirSync(repo, { recursive: true });
  git(repo, 'init', '-q', '-b', 'main');
  git(repo, 'add', '-A', '-f');
  git(repo, 'commit', '-q', '--allow-empty', '-m', 'x');
  for (const name of beside) write(repo, name);
  return repo;
}

test.for<[string, (repo: string) => void]>([
  ['of version 2', () => undefined],
  ['of version 4, which shortens names', (repo) => git(repo, 'update-index', '--index-version', '4')],
  ['that is split into two files', (repo) => git(repo, 'update-index', '--split-index')],
])('a folder in an index %s is tracked, and one that only lies there is not', ([, change]) => {
  using folder = tempFolder();
  const repo = repository(folder, ['.tutti/tutti.db', 'a.txt'], ['sub/.tutti/tutti.db']);
  change(repo);
  expect(isTracked(join(repo, '.tutti'))).toBe(true);
  expect(isTracked(join(repo, 'sub/.tutti'))).toBe(false);
  git(repo, 'rm', '-rq', '--cached', '.tutti');
  expect(isTracked(join(repo, '.tutti'))).toBe(false);
});

test('names that merely contain the same letters are not taken for it', () => {
  using folder = tempFolder();
  const repo = repository(folder, ['doc/.tutti-notes.md', '.tutti-aside/x'], ['.tutti/tutti.db']);
  expect(isTracked(join(repo, '.tutti'))).toBe(false);
});

test('what was only added counts, and what another branch has does not until it is checked out', () => {
  using folder = tempFolder();
  const repo = repository(folder, ['a.txt'], []);
  git(repo, 'checkout', '-q', '-b', 'other');
  write(repo, '.tutti/tutti.db');
  git(repo, 'add', '-f', '.tutti');
  expect(isTracked(join(repo, '.tutti'))).toBe(true);
  git(repo, 'commit', '-q', '-m', 'y');
  git(repo, 'checkout', '-q', 'main');
  write(repo, '.tutti/tutti.db');
  expect(isTracked(join(repo, '.tutti'))).toBe(false);
});

test('worktrees and submodules have an index of their own', () => {
  using folder = tempFolder();
  const repo = repository(folder, ['.tutti/tutti.db'], []);
  const place = dirname(repo);
  git(repo, 'worktree', 'add', '-q', '-b', 'tree', join(place, 'tree'));
  expect(isTracked(join(place, 'tree/.tutti'))).toBe(true);
  git(join(place, 'tree'), 'rm', '-rq', '--cached', '.tutti');
  expect(isTracked(join(place, 'tree/.tutti'))).toBe(false);
  expect(isTracked(join(repo, '.tutti'))).toBe(true);
  const outer = join(place, 'outer');
  mkdirSync(outer);
  git(outer, 'init', '-q');
  git(outer, 'submodule', 'add', '-q', repo, 'module');
  expect(isTracked(join(outer, 'module/.tutti'))).toBe(true);
});

test('without git nothing is tracked, and an index that git cannot read counts as if everything were', () => {
  using folder = tempFolder();
  write(folder.path, 'plain/.tutti/tutti.db');
  expect(isTracked(join(folder.path, 'plain/.tutti'))).toBe(false);
  const repo = repository(folder, ['a.txt'], ['.tutti/tutti.db']);
  expect(isTracked(join(repo, '.tutti'))).toBe(false);
  writeFileSync(join(repo, '.git/index'), 'DIRC');
  expect(isTracked(join(repo, '.tutti'))).toBe(true);
  rmSync(join(repo, '.git/index'));
  expect(isTracked(join(repo, '.tutti'))).toBe(false);
});

test("a monitor that the repository's own configuration names is not started", () => {
  using folder = tempFolder();
  const repo = repository(folder, ['.tutti/tutti.db'], []);
  const [monitor, canary] = [join(repo, 'monitor'), join(folder.path, 'canary')];
  writeFileSync(monitor, `#!/bin/sh\ntouch '${canary}'\n`);
  chmodSync(monitor, 0o755);
  git(repo, 'config', 'core.fsmonitor', monitor);
  expect(isTracked(join(repo, '.tutti'))).toBe(true);
  expect(existsSync(canary)).toBe(false);
  // Control: git would start it.
  git(repo, 'status');
  expect(existsSync(canary)).toBe(true);
});
