import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mountingMissing } from '../faults/small-disk.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { cli, type CliEnd } from './rig.ts';

const flow = 'steps:\n  - {id: a, command: ["true"]}\n';

/** Every command that would have to record something before it begins. */
const beginning = [
  ['run', 'flow.yaml', '--trust'],
  ['session', 'create', 'coder', 'prompt.md', '--trust'],
  ['plan', 'init', 'spec.md'],
  ['plan', 'spec.md', '--new', '--trust'],
  ['build', 'spec.md', '--new', '--trust'],
  ['conductor', '--trust'],
  ['trust', '--yes'],
  ['init', '--driver', 'claude'],
  ['demo'],
];

function writeFolder(folder: string): void {
  write(folder, { 'flow.yaml': flow, 'prompt.md': 'Go.\n', 'spec.md': '# A thing\n\nIt adds numbers.\n' });
}

/** A project and the home of the person who types commands there, each in a folder that can be made read-only. */
function writeProjectBesideHome(folder: string) {
  const [path, home] = [join(folder, 'project'), join(folder, 'home')];
  mkdirSync(home);
  mkdirSync(path);
  writeFolder(path);
  const ask = (...args: readonly string[]): Promise<CliEnd> =>
    cli({ folder: path, env: { HOME: home }, trusts: false, stdin: '' }, ...args);
  return { path, home, ask };
}

test('a home that is no folder is refused by every command that begins something, and nothing is left behind', async () => {
  using folder = tempFolder();
  writeFolder(folder.path);
  const before = readdirSync(folder.path);
  for (const args of beginning) {
    const end = await cli(
      { folder: folder.path, env: { HOME: '/dev/null' }, trusts: false, stdin: '' },
      ...args,
    );
    expect(end, args.join(' ')).toMatchObject({
      code: 69,
      err: expect.stringContaining(
        'tutti: /dev/null/.local/state/tutti, where Tutti keeps its state, cannot be written: /dev/null is not a directory\n' +
          '  → name a folder that can be: export XDG_STATE_HOME=DIR, then again\n',
      ) as string,
    });
    expect(readdirSync(folder.path), args.join(' ')).toEqual(before);
  }
});

test('a home that becomes read-only stops no command of a project that was made before', async ({ skip }) => {
  const problem = mountingMissing();
  if (problem !== null) skip(problem);
  using folder = tempFolder();
  const { home, ask } = writeProjectBesideHome(folder.path);
  expect((await ask('run', 'flow.yaml', '--run-id', 'a', '--trust')).code).toBe(0);
  using _disk = readOnly(home);
  for (const args of [
    ['status'],
    ['runs'],
    ['run', 'flow.yaml', '--run-id', 'b'],
    ['recover'],
    ['rebuild'],
    ['stop'],
  ])
    expect(await ask(...args), args.join(' ')).toMatchObject({ code: 0, err: '' });
  expect(await ask('trust', '--revoke', '--yes')).toMatchObject({
    code: 69,
    err: expect.stringContaining(`the file system of ${home}/.local/state/tutti is read-only`) as string,
  });
  expect((await ask('doctor')).out).toContain(`✕ state`);
});

test('a project that is read-only is refused before trust is recorded', async ({ skip }) => {
  const problem = mountingMissing();
  if (problem !== null) skip(problem);
  using folder = tempFolder();
  const { path, home, ask } = writeProjectBesideHome(folder.path);
  using _disk = readOnly(path);
  expect(await ask('run', 'flow.yaml', '--trust')).toMatchObject({
    code: 69,
    err: `tutti: ${path}/.tutti cannot be written: the file system of ${path} is read-only\n  → see whose it is: ls -lad ${path}\n`,
  });
  expect(readdirSync(home)).toEqual([]);
});

function readOnly(path: string): Disposable {
  for (const args of [
    ['--bind', path, path],
    ['-o', 'remount,ro,bind', path],
  ])
    expect(spawnSync('mount', args).status).toBe(0);
  return {
    [Symbol.dispose]: () => {
      spawnSync('umount', ['-l', path]);
    },
  };
}
