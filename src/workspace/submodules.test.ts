import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type TempFolder, tempFolder } from '../../test/rig/temp-folder.ts';
import { submodulesIn } from './submodules.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder();
  git(folder.path, 'init', '-q', 'project');
  commit('project', 'first');
});
afterEach(() => {
  vi.unstubAllEnvs();
  folder[Symbol.dispose]();
});

const at = (...names: readonly string[]): string => join(folder.path, ...names);

function git(cwd: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}

function commit(name: string, message: string): void {
  git(at(name), 'commit', '-q', '--allow-empty', '-m', message);
}

/** What an index says of a submodule is enough: nothing has to be there. */
function addSubmodule(checkout: string, path: string): void {
  git(at(checkout), 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},${path}`);
}

/** From here on, a git that says each time that it was called. */
function countCalls(): () => number {
  const [bin, calls] = [at('bin'), at('calls')];
  mkdirSync(bin);
  const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho called >>'${calls}'\nexec '${real}' "$@"\n`);
  chmodSync(join(bin, 'git'), 0o755);
  vi.stubEnv('PATH', `${bin}${delimiter}${process.env['PATH'] ?? ''}`);
  return () => (existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').length - 1 : 0);
}

test('git is asked once for each state of the index', () => {
  addSubmodule('project', 'libs/one');
  const calls = countCalls();
  expect([1, 2, 3].map(() => submodulesIn(at('project')))).toEqual([
    ['libs/one'],
    ['libs/one'],
    ['libs/one'],
  ]);
  expect(calls()).toBe(1);
  addSubmodule('project', 'libs/two');
  expect(submodulesIn(at('project'))).toEqual(['libs/one', 'libs/two']);
  git(at('project'), 'rm', '-q', '--cached', 'libs/one');
  expect(submodulesIn(at('project'))).toEqual(['libs/two']);
});

test('each worktree has an index of its own', () => {
  git(at('project'), 'worktree', 'add', '-q', at('tree'));
  expect(submodulesIn(at('tree'))).toEqual([]);
  addSubmodule('tree', 'libs/one');
  expect([submodulesIn(at('tree')), submodulesIn(at('project'))]).toEqual([['libs/one'], []]);
});

test('a folder inside a checkout has those below it, and a repository made there has its own', () => {
  addSubmodule('project', 'inside/sub');
  addSubmodule('project', 'sub');
  mkdirSync(at('project/inside'));
  expect(submodulesIn(at('project/inside'))).toEqual(['sub']);
  git(at('project/inside'), 'init', '-q');
  expect(submodulesIn(at('project/inside'))).toEqual([]);
  addSubmodule('project/inside', 'own');
  expect(submodulesIn(at('project/inside'))).toEqual(['own']);
});

test('what git could not list is asked for again', () => {
  addSubmodule('project', 'libs/one');
  vi.stubEnv('PATH', at('nothing'));
  expect(submodulesIn(at('project'))).toEqual([]);
  vi.unstubAllEnvs();
  expect(submodulesIn(at('project'))).toEqual(['libs/one']);
});

test.for(['gitdir: /not/there\n', 'nonsense', ''])(
  'a .git file that leads nowhere (%j) has none, and is no error',
  (text) => {
    mkdirSync(at('forged'));
    writeFileSync(at('forged/.git'), text);
    expect(submodulesIn(at('forged'))).toEqual([]);
  },
);

test('outside git there are none', () => {
  mkdirSync(at('plain'));
  expect(submodulesIn(at('plain'))).toEqual([]);
});
