import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTutti as openUntrusting } from '../../src/app/tutti.ts';
import { cli as trustingCli } from '../cli/rig.ts';
import { paidTurns, RecoveryProject } from './project.ts';

const once = Object.fromEntries(paidTurns.map((turn) => [turn, 1]));

/** Nothing is trusted that a command of the test does not trust. */
function cli({ root, env }: RecoveryProject, ...args: readonly string[]) {
  return trustingCli({ folder: root, env: { HOME: env.HOME }, stdin: '', trusts: false }, ...args);
}

/** All files of the folder go; folders of runs and sessions stay. */
function deleteFiles({ root }: RecoveryProject): void {
  for (const entry of readdirSync(join(root, '.tutti'), { withFileTypes: true }))
    if (!entry.isDirectory()) rmSync(join(root, '.tutti', entry.name));
}

test('a state whose files were deleted is restored by the command that every other command names', async () => {
  using project = await RecoveryProject.make('half-done');
  deleteFiles(project);
  expect(await cli(project, 'status')).toMatchObject({
    code: 69,
    err: expect.stringMatching(
      /\.tutti is not used, because its file 'id' is missing\n {2}→ restore it: tutti recover\n$/,
    ),
  });
  expect(await cli(project, 'recover')).toMatchObject({
    code: 0,
    out: expect.stringContaining('the database was missing'),
  });
  expect((await cli(project, 'status', 'r1')).out).toContain('run r1 · waiting');
  using tutti = project.open();
  expect(await project.complete(tutti)).toBe('SUCCESS');
  expect(project.paid()).toEqual(once);
});

test('a state that lost only its id is the same after recover', async () => {
  using project = await RecoveryProject.make('half-done');
  const file = join(project.root, '.tutti', 'id');
  const id = readFileSync(file, 'utf8');
  rmSync(file);
  expect(await cli(project, 'recover')).toMatchObject({
    code: 0,
    out: expect.stringContaining('the database is in order'),
  });
  expect(readFileSync(file, 'utf8')).toBe(id);
});

test('a folder that was marked in the millisecond in which it was made is restored too', async () => {
  using project = await RecoveryProject.make('half-done');
  deleteFiles(project);
  const { birthtimeMs } = statSync(join(project.root, '.tutti'));
  editMarks(project, { made_at: new Date(Math.floor(birthtimeMs)).toISOString() });
  expect(await cli(project, 'recover')).toMatchObject({ code: 0 });
  expect((await cli(project, 'status', 'r1')).out).toContain('run r1 · waiting');
});

function editMarks({ env }: RecoveryProject, change: object): void {
  const marks = join(env.HOME, '.local', 'state', 'tutti', 'made');
  for (const name of readdirSync(marks).filter((each) => each.endsWith('.json'))) {
    const mark = JSON.parse(readFileSync(join(marks, name), 'utf8')) as object;
    writeFileSync(join(marks, name), JSON.stringify({ ...mark, ...change }));
  }
}

/** A folder with the same content in the place of the one that Tutti made. */
function replaceByForeign(project: RecoveryProject): void {
  const state = join(project.root, '.tutti');
  const aside = join(project.root, 'prepared');
  deleteFiles(project);
  cpSync(state, aside, { recursive: true });
  rmSync(state, { recursive: true });
  mkdirSync(state);
  for (const name of readdirSync(aside)) renameSync(join(aside, name), join(state, name));
}

test('a prepared folder in the place of a deleted one is refused, also with its inode, and the commands that help are named', async () => {
  using project = await RecoveryProject.make('half-done');
  replaceByForeign(project);
  // As if the system had given it the inode of the old one.
  editMarks(project, { inode: statSync(join(project.root, '.tutti')).ino });
  const refused = {
    code: 69,
    err: expect.stringContaining(
      'look at it and use it: tutti trust --state, then: tutti recover; or move it aside',
    ),
  };
  expect(await cli(project, 'status')).toMatchObject(refused);
  expect(await cli(project, 'recover')).toMatchObject(refused);
  expect(openUntrusting({ folder: project.root, env: project.env, create: true }).ok).toBe(false);
  expect((await cli(project, 'trust', '--state', '--yes')).code).toBe(0);
  expect(await cli(project, 'recover')).toMatchObject({ code: 0 });
  expect((await cli(project, 'status', 'r1')).out).toContain('run r1 · waiting');
});
