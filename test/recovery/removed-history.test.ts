import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backupFolderOf } from '../../src/app/open-store.ts';
import { pathsOf } from '../../src/app/project.ts';
import { lineageOf } from '../../src/store/change-log.ts';
import { openDatabase } from '../../src/store/database.ts';
import { databaseFiles } from '../../src/store/restore.ts';
import { write } from '../cli/project.ts';
import { cli, type CliEnd } from '../cli/rig.ts';
import { AgentLedProject } from '../agent-led/project.ts';
import { startTutti, writeProject } from '../rig/program.ts';
import { tempFolder } from '../rig/temp-folder.ts';

test('where the state of a project was removed, the commands that find no runs name the one that restores them', async () => {
  using folder = tempFolder();
  const place = realpathSync(folder.path);
  const path = join(place, 'project');
  writeProject(path, { 'flow.yaml': { steps: [{ id: 'a', command: ['true'] }] } });
  const tutti = (...args: readonly string[]) => startTutti(path, args, { HOME: place }).ended;
  expect((await tutti('runs')).stdout).toContain('no runs yet');
  expect((await tutti('run', 'flow.yaml', '--run-id', 'old')).code).toBe(0);
  rmSync(join(path, '.tutti'), { recursive: true });
  for (const word of ['runs', 'status'])
    expect((await tutti(word)).stdout).toContain('restore its runs: tutti recover');
  expect((await tutti('recover')).code).toBe(0);
  expect((await tutti('runs')).stdout).toContain('old');
});

test('where .tutti was removed, inbox and every --json form say so', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'asks.yaml': 'steps:\n  - {id: a, command: ["true"], gates: [{approval: "Ship it?"}]}\n',
    'tutti.yaml': 'driver: replay\n',
  });
  const tutti = (...args: readonly string[]): Promise<CliEnd> => cli({ folder: folder.path }, ...args);
  expect((await tutti('inbox', '--json')).out).not.toContain('removed');
  expect((await tutti('run', 'asks.yaml', '--run-id', 'r1')).code).toBe(3);
  rmSync(join(folder.path, '.tutti'), { recursive: true });
  const inbox = await tutti('inbox');
  expect(inbox.out).toContain('the state of this project was removed\n  → restore its runs: tutti recover');
  expect(inbox.out).not.toContain('no open questions');
  for (const words of [['status'], ['runs'], ['inbox'], ['session', 'list']]) {
    const { err } = await tutti(...words, '--json');
    expect(err, words.join(' ')).toBe(
      'the state of this project was removed; restore its runs: tutti recover\n',
    );
  }
  for (const word of ['status', 'inbox'])
    expect(JSON.parse((await tutti(word, '--json')).out)).toMatchObject({ state_removed: true });
});

test('where .tutti was removed, commands about one run name recover, and its id is given to no other run', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'flow.yaml': 'steps:\n  - {id: a, command: ["true"]}\n',
    'tutti.yaml': 'driver: mine\ndrivers: {mine: {type: command, command: ["true"]}}\n',
  });
  const tutti = (...args: readonly string[]): Promise<CliEnd> => cli({ folder: folder.path }, ...args);
  expect((await tutti('run', 'flow.yaml', '--run-id', 'r1')).code).toBe(0);
  rmSync(join(folder.path, '.tutti'), { recursive: true });
  for (const words of [['status', 'r1'], ['costs', 'r1'], ['report', 'r1'], ['resume', 'r1'], ['resume']]) {
    const { code, err } = await tutti(...words);
    expect({ code, err }, words.join(' ')).toEqual({
      code: 64,
      err: expect.stringMatching(
        /the state of .* was removed\n {2}→ restore its runs: tutti recover\n$/,
      ) as string,
    });
  }
  const again = [
    ['run', 'flow.yaml', '--run-id', 'r1'],
    ['spawn', '--prompt', 'do it', '--run-id', 'r1'],
  ];
  const refused = (command: string) => ({
    code: 64,
    err: `tutti: run r1 was recorded in a .tutti/ that was deleted here, and starting it again would pay its finished turns again\n  → restore it: ${command}; or give another --run-id\n`,
  });
  for (const words of again) expect(await tutti(...words)).toMatchObject(refused('tutti recover'));
  expect(existsSync(join(folder.path, '.tutti'))).toBe(false);
  expect((await tutti('run', 'flow.yaml', '--run-id', 'r2')).code).toBe(0);
  for (const words of again) {
    const { code, err } = await tutti(...words);
    expect({ code, err }).toEqual({
      ...refused('tutti recover --removed'),
      err: expect.stringContaining(refused('tutti recover --removed').err) as string,
    });
  }
  expect((await tutti('recover', '--removed')).code).toBe(0);
  expect((await tutti('run', 'flow.yaml', '--run-id', 'r1')).code).toBe(0);
});

/** Does something while the copies of the deleted state cannot be seen. */
async function withoutCopies(path: string, work: () => Promise<void>): Promise<void> {
  const paths = pathsOf(path);
  const id = readLineage(paths.database);
  const backups = backupFolderOf(paths, { HOME: path }).path;
  const hidden = join(path, 'hidden');
  const others = readdirSync(backups).filter((name) => name !== id);
  mkdirSync(hidden);
  for (const name of others) renameSync(join(backups, name), join(hidden, name));
  await work();
  for (const name of others) renameSync(join(hidden, name), join(backups, name));
}

function readLineage(database: string): string {
  using db = openDatabase(database, () => null);
  return lineageOf(db).id;
}

/** A project with two runs, one of which waits for an answer, whose state was deleted and made again by another run. */
async function madeAgain(): Promise<
  Disposable & { readonly path: string; readonly tutti: (...args: readonly string[]) => Promise<CliEnd> }
> {
  const folder = tempFolder();
  write(folder.path, {
    'flow.yaml': 'steps:\n  - {id: a, command: ["true"]}\n',
    'asks.yaml': 'steps:\n  - {id: a, command: ["true"], gates: [{approval: "Ship it?"}]}\n',
    'tutti.yaml': 'driver: replay\n',
  });
  const tutti = (...args: readonly string[]): Promise<CliEnd> => cli({ folder: folder.path }, ...args);
  expect((await tutti('run', 'flow.yaml', '--run-id', 'old')).code).toBe(0);
  expect((await tutti('run', 'asks.yaml', '--run-id', 'asks')).code).toBe(3);
  rmSync(join(folder.path, '.tutti'), { recursive: true });
  const made = await tutti('run', 'flow.yaml', '--run-id', 'new');
  expect(made).toMatchObject({
    code: 0,
    err: expect.stringContaining('bring them back: tutti recover --removed') as string,
  });
  return { path: folder.path, tutti, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test('once a new state was made, recover names the runs of the deleted one and brings them back beside the new', async () => {
  using project = await madeAgain();
  const { tutti } = project;
  expect(await tutti('recover')).toMatchObject({
    code: 0,
    out: [
      'the database is in order: 1 run and 0 sessions',
      '  kept: 2 runs and 0 sessions of a state that was removed from here: old, asks',
      '  → bring them back: tutti recover --removed',
      '',
    ].join('\n'),
  });
  expect((await tutti('runs')).out).not.toContain('old');
  const back = await tutti('recover', '--removed');
  expect(back.code, back.err).toBe(0);
  expect(back.out).toContain('  brought back: 2 runs and 0 sessions of a state that was removed from here');
  expect(back.out).toContain('→ 1 run halted; continue: tutti resume asks');
  const runs = (await tutti('runs')).out.split('\n').slice(1, 4);
  expect(runs.map((line) => line.slice(2, 7).trim())).toEqual(['new', 'asks', 'old']);
  expect((await tutti('events', 'old', '--json')).out).toContain('run.ended');
  expect((await tutti('inbox')).out).toContain('Ship it?');
  // Nothing is brought back twice, and a new command does not speak of it again.
  expect((await tutti('recover', '--removed')).out).toContain('nothing else is kept of a state');
  expect((await tutti('run', 'flow.yaml', '--run-id', 'later')).err).not.toContain('--removed');
  expect((await tutti('runs')).out.match(/ old /g)).toHaveLength(1);
});

test('runs that were brought back are in the changes that are kept, so that they survive the next loss', async () => {
  using project = await madeAgain();
  const { tutti } = project;
  expect((await tutti('recover', '--removed')).code).toBe(0);
  for (const file of databaseFiles(join(project.path, '.tutti', 'tutti.db'))) rmSync(file, { force: true });
  expect(await tutti('recover')).toMatchObject({
    code: 0,
    out: expect.stringContaining('restored 3 runs') as string,
  });
});

test('a run of the deleted state whose name a newer run has is named and stays where it is kept', async () => {
  using project = await madeAgain();
  const { tutti } = project;
  await withoutCopies(project.path, async () => {
    expect((await tutti('run', 'flow.yaml', '--run-id', 'old')).code).toBe(0);
  });
  expect((await tutti('recover')).out).toMatch(
    /\n  kept in .*backups\S*: an older run old; a newer one has its name, so it stays there\n/,
  );
  const back = await tutti('recover', '--removed', '--json');
  expect(back.code, back.err).toBe(0);
  const { removed } = JSON.parse(back.out) as { removed: Record<string, unknown> };
  expect(removed).toMatchObject({ runs: ['asks'], not_brought_back: ['run old'], brought_back: true });
  const again = await tutti('recover', '--removed');
  expect(again.out).toContain('not brought back: run old, because there is a newer one of that name');
  expect(again.out).not.toContain('nothing else is kept');
});

test('a database that is emptied or deleted after a recovery, with no views beside it, is refused', async () => {
  using project = await madeAgain();
  const { tutti, path } = project;
  const database = join(path, '.tutti', 'tutti.db');
  rmSync(join(path, '.tutti'), { recursive: true });
  expect((await tutti('recover')).code).toBe(0);
  for (const [what, spoil] of [
    ['empty', () => writeFileSync(database, '')],
    ['missing', () => undefined],
  ] as const) {
    for (const file of databaseFiles(database)) rmSync(file, { force: true });
    spoil();
    for (const words of [['run', 'flow.yaml'], ['runs'], ['status'], ['inbox']]) {
      expect(await tutti(...words), `${what}: ${words.join(' ')}`).toMatchObject({
        code: 69,
        err: `tutti: ${database} is ${what}, but its runs are kept\n  → restore it: tutti recover\n`,
      });
    }
    expect(await tutti('recover')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`restored 1 run and 0 sessions: the database was ${what}`) as string,
    });
  }
});

test('a database whose rows were deleted is called empty, and not of another project', async () => {
  using project = await madeAgain();
  const { tutti, path } = project;
  const database = join(path, '.tutti', 'tutti.db');
  for (const file of databaseFiles(database)) rmSync(file, { force: true });
  openDatabase(database, () => null)[Symbol.dispose]();
  rmSync(join(path, '.tutti', 'runs'), { recursive: true, force: true });
  expect(await tutti('runs')).toMatchObject({
    code: 69,
    err: `tutti: ${database} is empty: it lacks the runs that it had here\n  → restore it: tutti recover\n`,
  });
  expect((await tutti('recover')).out).toContain('restored 1 run and 0 sessions: the database was empty');
});

test('a plan of the deleted state comes back with its tasks and its approval, unless its name was used again', async () => {
  using project = new AgentLedProject();
  const begin = (plan: string): Promise<string> =>
    project.done('plan', 'init', '.', '--plan', plan, '--new', '--spec', '../spec.md');
  await project.toExecuting();
  const tasks = (): Promise<string> => project.done('task', 'list', '--plan', 'shop');
  const before = await tasks();
  rmSync(join(project.path, '.tutti'), { recursive: true });
  await begin('other');
  expect(await project.done('recover')).toContain('of a state that was removed from here: plan shop');
  expect(await project.done('recover', '--removed')).toContain('brought back: 0 runs and 0 sessions');
  expect(await project.done('plan', 'list')).toMatch(/^shop +ready +0 of 4 tasks done/m);
  expect(await tasks()).toBe(before);
  rmSync(join(project.path, '.tutti'), { recursive: true });
  await begin('shop');
  expect(await project.done('recover', '--removed')).toContain('not brought back: plan shop');
});

test('where .tutti was removed, commands that need a plan name recover, and planning again is asked about first', async () => {
  using project = new AgentLedProject();
  await project.toExecuting();
  rmSync(join(project.path, '.tutti'), { recursive: true });
  const tutti = (typed: readonly string[], ...args: readonly string[]): Promise<CliEnd> =>
    cli({ folder: project.path, env: project.env, terminal: [80, 24], typed }, ...args);
  for (const words of [['land'], ['execute'], ['plan', 'approve'], ['plan', 'verify'], ['plan'], ['build']]) {
    const { code, err } = await tutti([], ...words);
    expect({ code, err }, words.join(' ')).toEqual({
      code: 64,
      err: 'tutti: no plans: the state of this project was removed\n  → restore its plans: tutti recover\n',
    });
  }
  writeFileSync(join(project.path, 'again.md'), '# Again\n\n- B1 parse: reads records\n');
  const refused = await tutti(['n'], 'plan', 'again.md');
  expect(refused.code).toBe(20);
  expect(refused.err).toContain('Plan from the beginning? [y/N]');
  expect(refused.err).toContain('→ restore its plans: tutti recover');
  expect(existsSync(join(project.path, '.tutti'))).toBe(false);
});

test('a script does not pay for a plan again that the removed state has, also not with --yes', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'spec.md': '# Records\n\n- B1 parse: reads records\n',
    'flow.yaml': 'steps:\n  - {id: a, command: ["true"]}\n',
    'tutti.yaml':
      'driver: mine\ndrivers: {mine: {type: command, command: [sh, -c, "echo turn >> $TUTTI_PROJECT/turns"]}}\n',
  });
  const tutti = (...args: readonly string[]): Promise<CliEnd> => cli({ folder: folder.path }, ...args);
  const turns = (): number => readFileSync(join(folder.path, 'turns'), 'utf8').split('\n').length - 1;
  await tutti('plan', 'spec.md', '--new', '--yes');
  const paid = turns();
  expect(paid).toBeGreaterThan(0);
  const again = [
    ['plan', 'spec.md', '--new', '--yes'],
    ['build', 'spec.md', '--new', '--yes'],
    ['plan', 'spec.md', '--new', '--json'],
  ];
  rmSync(join(folder.path, '.tutti'), { recursive: true });
  for (const [restore, isMadeAgain] of [
    ['tutti recover', false],
    ['tutti recover --removed', true],
  ] as const) {
    if (isMadeAgain) expect((await tutti('run', 'flow.yaml')).code).toBe(0);
    const before = turns();
    for (const words of again) {
      const { code, err, out } = await tutti(...words);
      expect(code, words.join(' ')).toBe(64);
      expect(err + out).toContain('spec was recorded in a .tutti/ that was deleted here');
      expect(err + out).toContain(restore);
    }
    expect(turns()).toBe(before);
    expect(existsSync(join(folder.path, '.tutti', 'id'))).toBe(isMadeAgain);
  }
});

test('recover names the files of a plan that it restored, and doctor that they are gone', async () => {
  using project = new AgentLedProject();
  await project.toExecuting();
  rmSync(join(project.path, '.tutti', 'plans'), { recursive: true });
  expect((await project.type('doctor')).out).toMatch(
    /files of plan shop are gone, and a copy is kept: .*\n +→ restore them: tutti recover\n/,
  );
  expect(await project.done('recover')).toMatch(/\n  restored \d+ files of plans: .*shop\/tasks\/T001\.json/);
  expect(await project.done('recover')).not.toContain('of plans');
});
