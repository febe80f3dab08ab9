import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentsOf } from './project.ts';
import { tutti, writeProject } from '../rig/program.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { whyNoOther } from '../rig/other-user.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const nobody = { uid: 65_534, gid: 65_534 };

const cannotPlay = whyNoOther(nobody);

test('in the project of another user every command says whose it is, and none that there are no runs', async ({
  skip,
}) => {
  if (cannotPlay !== null) skip(cannotPlay);
  const program = installedTutti();
  using folder = tempFolder();
  const path = join(realpathSync(folder.path), 'project');
  const home = join(realpathSync(folder.path), 'home');
  chmodSync(folder.path, 0o755);
  mkdirSync(home);
  chmodSync(home, 0o777);
  writeProject(path, { 'flow.yaml': { steps: [{ id: 'a', command: ['true'] }] } });
  chmodSync(path, 0o755);
  expect((await tutti(path, 'run', 'flow.yaml')).code).toBe(0);
  for (const words of [
    ['status'],
    ['runs'],
    ['run', 'flow.yaml', '--trust'],
    ['stop'],
    ['trust', '--state'],
    ['recover'],
  ]) {
    const env = { PATH: process.env['PATH'], HOME: home };
    const ended = spawnSync(process.execPath, [program, ...words], {
      cwd: path,
      env,
      ...nobody,
      encoding: 'utf8',
    });
    expect([ended.status, ended.stderr], words.join(' ')).toEqual([
      69,
      expect.stringContaining(`${path}/.tutti belongs to another user, and you may not read it`),
    ]);
  }
  // Nothing was recorded for a project that could not be used anyway.
  expect(readdirSync(home)).toEqual([]);
});

test('root is refused in the project of another user, changes no file of theirs, and does not lock them out', async ({
  skip,
}) => {
  if (cannotPlay !== null) skip(cannotPlay);
  const program = installedTutti();
  using folder = tempFolder();
  const path = join(realpathSync(folder.path), 'project');
  const home = join(realpathSync(folder.path), 'home');
  chmodSync(folder.path, 0o755);
  mkdirSync(home);
  writeProject(path, { 'flow.yaml': { steps: [{ id: 'a', command: ['true'] }] } });
  for (const owned of [path, home]) spawnSync('chown', ['-R', '65534:65534', owned]);
  const owner = (...words: readonly string[]) =>
    spawnSync(process.execPath, [program, ...words], {
      cwd: path,
      env: { PATH: process.env['PATH'], HOME: home },
      ...nobody,
      encoding: 'utf8',
    });
  const made = owner('run', 'flow.yaml', '--run-id', 'r1', '--trust');
  expect(made.status, made.stderr).toBe(0);
  const before = contentsOf(path);
  const rootsHome = join(realpathSync(folder.path), 'root');
  for (const words of [
    ['trust', '--state', '--yes'],
    ['status'],
    ['inbox'],
    ['run', 'flow.yaml', '--trust'],
    ['stop', 'r1'],
    ['stop', '--all'],
    ['session', 'kill', '--all'],
    ['recover'],
    ['recover', '--removed'],
  ]) {
    const ended = spawnSync(process.execPath, [program, ...words], {
      cwd: path,
      env: { PATH: process.env['PATH'], HOME: rootsHome },
      encoding: 'utf8',
    });
    expect([ended.status, ended.stderr], words.join(' ')).toEqual([
      69,
      `tutti: ${path}/.tutti belongs to user nobody, and Tutti uses only a folder of your own\n  → work as that user: sudo -u nobody -i, or in a clone of your own\n`,
    ]);
    expect(contentsOf(path), words.join(' ')).toEqual(before);
  }
  expect(statSync(join(path, '.tutti', 'id')).uid).toBe(nobody.uid);
  expect(owner('runs').stdout).toContain('r1');
});

test('where the state of another user comes from is an answer, and no error of the file system', ({
  skip,
}) => {
  if (cannotPlay !== null) skip(cannotPlay);
  using folder = tempFolder();
  const path = realpathSync(folder.path);
  chmodSync(path, 0o755);
  mkdirSync(join(path, '.tutti'), { mode: 0o700 });
  mkdirSync(join(path, '.tutti', 'runs'));
  const module = JSON.stringify(repository('src/app/trust/state-mark.ts'));
  const script = `
    const { stateOrigin, markBeforeMove } = await import(${module});
    const paths = { root: process.cwd(), state: process.cwd() + '/.tutti' };
    console.log(JSON.stringify([stateOrigin(paths, process.env), markBeforeMove(paths, process.env)]));`;
  const args = ['--input-type=module', '--eval', script];
  const env = { PATH: process.env['PATH'], HOME: path };
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: path,
    env,
    ...nobody,
    encoding: 'utf8',
  });
  expect(stdout, stderr).toBe('[{"from":"closed","mayRead":false},null]\n');
});
