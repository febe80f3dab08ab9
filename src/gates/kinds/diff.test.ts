import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/rig/temp-folder.ts';
import { diffGate, type GitRunner } from './diff.ts';

function repositoryIn(folder: string): (cwd: string) => GitRunner {
  const git = (cwd: string, args: readonly string[]) =>
    spawnSync('git', args, { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: folder } });
  git(folder, ['init', '-q']);
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  git(folder, ['add', '.']);
  git(folder, ['-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'a']);
  return (cwd) => (args) => {
    const { status, stdout, stderr } = git(cwd, args);
    return Promise.resolve({ exitCode: status, stdout, stderr });
  };
}

test('in a real repository a changed or new file counts, and Tutti’s own folder does not', async () => {
  using folder = tempFolder();
  const git = repositoryIn(folder.path);
  mkdirSync(join(folder.path, '.tutti'));
  mkdirSync(join(folder.path, 'sub'));
  writeFileSync(join(folder.path, '.tutti', 'tutti.db'), 'x');
  expect(await diffGate(git(folder.path))).toMatchObject({ passed: false });
  writeFileSync(join(folder.path, 'new file.txt'), 'x');
  expect(await diffGate(git(folder.path))).toMatchObject({
    passed: true,
    evidence: { paths: ['new file.txt'] },
  });
  expect(await diffGate(git(join(folder.path, 'sub')))).toMatchObject({ passed: false });
});

test('outside any repository the gate does not pass', async () => {
  using folder = tempFolder();
  const git = repositoryIn(folder.path);
  expect(await diffGate(git('/'))).toMatchObject({
    passed: false,
    finding: 'git could not tell whether anything changed',
  });
});

test('a monitor that the repository names is not started', async () => {
  using folder = tempFolder();
  const git = repositoryIn(folder.path)(folder.path);
  const canary = join(folder.path, '.git', 'canary');
  await git(['config', 'core.fsmonitor', `touch ${canary};:`]);
  await diffGate(git);
  expect(existsSync(canary)).toBe(false);
  // Control: a plain status does start it.
  await git(['status']);
  expect(existsSync(canary)).toBe(true);
});
