import { loadTasks } from '../../src/app/plan-record/change-plan.ts';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { tempFolder } from '../rig/temp-folder.ts';
import { openTutti, startFlow } from '../rig/trust.ts';
import { checkFlow } from '../../src/app/runs/start-flow.ts';
import { ok } from '../../src/lib/result.ts';
import { blankPlan } from '../../src/model/plan/plan-record.ts';
import { task } from '../execute/plan.ts';
import { write } from './project.ts';
import { cli as trustingCli, type CliOptions } from './rig.ts';

/** Nothing is trusted that the test does not trust by a command. */
const cli = (options: CliOptions, ...args: readonly string[]) =>
  trustingCli({ ...options, trusts: false }, ...args);

const terminal = [80, 24] as const;

interface World {
  readonly place: string;
  readonly repo: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A project with a run that waits to run a command. It is the person's own, or made by another one on this machine. */
async function world(path: string, by: 'own' | 'other', command = ['touch', 'fired']): Promise<World> {
  const place = realpathSync(path);
  const repo = join(place, 'repo');
  const env = { HOME: join(place, 'home') };
  mkdirSync(env.HOME);
  write(repo, { 'x.yaml': JSON.stringify({ name: 'x', steps: [{ id: 'a', command }] }) });
  const maker = by === 'own' ? env : { HOME: join(place, 'other') };
  mkdirSync(maker.HOME, { recursive: true });
  const opened = openTutti({ folder: repo, env: { PATH: process.env['PATH'], ...maker }, create: true });
  if (!opened.ok) throw new Error(opened.error.message);
  using tutti = opened.value;
  const request = { file: 'x.yaml', folder: repo, runId: 'prepared', maxParallel: null, detach: true };
  const flow = checkFlow(request);
  if (!flow.ok) throw new Error(flow.error.message);
  const started = await startFlow(tutti, flow.value, request);
  if (!started.ok) throw new Error(started.error.message);
  return { place, repo, env };
}

test('the state of another person is refused in one sentence with two commands, shown, and used once a person agrees', async () => {
  using folder = tempFolder();
  const { repo, env } = await world(folder.path, 'other');
  for (const words of [['status'], ['resume', 'prepared'], ['runs'], ['conductor']]) {
    expect(await cli({ folder: repo, env, stdin: '' }, ...words)).toMatchObject({
      code: 69,
      out: '',
      err:
        `tutti: ${repo}/.tutti is not used, because Tutti has not made it for you on this machine\n` +
        '  → look at it and use it: tutti trust --state; or move it aside: mv .tutti .tutti-aside\n',
    });
  }
  expect(await cli({ folder: repo, env, stdin: '' }, 'trust', '--state')).toMatchObject({
    code: 64,
    err: expect.stringContaining('add --yes'),
  });
  const no = await cli({ folder: repo, env, terminal, typed: 'n' }, 'trust', '--state');
  expect(no).toMatchObject({ code: 1, err: `Use ${repo}/.tutti from now on? [y/N]: ` });
  expect(no.out).toBe(
    `${repo}/.tutti holds 1 run, of which 1 would continue and 0 could be continued:\n  flow prepared: would continue\n    a: touch fired\nNothing was changed\n`,
  );
  expect((await cli({ folder: repo, env }, 'status')).code).toBe(69);
  const agent = { ...env, TUTTI_SESSION_ID: 's1' };
  expect(await cli({ folder: repo, env: agent }, 'trust', '--state', '--yes')).toMatchObject({
    code: 3,
    err: expect.stringContaining('only a person may say which repository is trusted'),
  });
  const yes = await cli({ folder: repo, env, terminal, typed: 'y' }, 'trust', '--state');
  expect(yes).toMatchObject({ code: 0, out: expect.stringMatching(/is used from now on\n$/) });
  expect((await cli({ folder: repo, env }, 'status', 'prepared')).out).toContain('prepared');
  expect(await cli({ folder: repo, env }, 'trust', '--state')).toMatchObject({
    code: 0,
    out: `Nothing to do: ${repo}/.tutti was made here\n`,
  });
});

test('trust --state tells programs what it holds', async () => {
  using folder = tempFolder();
  const { repo, env } = await world(folder.path, 'other');
  const { out, code } = await cli({ folder: repo, env }, 'trust', '--state', '--yes', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    state: join(repo, '.tutti'),
    from: 'others',
    adopted: true,
    runs: [
      {
        id: 'prepared',
        workflow: 'flow',
        state: 'open',
        members: [{ name: 'a', value: ['touch', 'fired'] }],
      },
    ],
    problem: null,
  });
  rmSync(join(repo, '.tutti'), { recursive: true });
  expect((await cli({ folder: repo, env }, 'trust', '--state')).out).toMatch(/^Nothing to do: there is no /);
});

test('a line break in the command of a run is shown, so that what follows a comment is not taken for one', async () => {
  using folder = tempFolder();
  const hidden = 'echo hello # greet\ntouch fired';
  const { repo, env } = await world(folder.path, 'other', ['sh', '-c', hidden]);
  const { out } = await cli({ folder: repo, env, terminal, typed: 'n' }, 'trust', '--state');
  expect(out).toContain(String.raw`
    a: sh -c $'echo hello # greet\ntouch fired'
`);
});

test('state that git tracks is not used by anyone, and the command that helps is named', async () => {
  using folder = tempFolder();
  const { repo, env } = await world(folder.path, 'own');
  expect((await cli({ folder: repo, env }, 'status', 'prepared')).out).toContain('prepared');
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: repo, stdio: 'pipe' });
  git('init', '-q');
  git('add', '-f', '.tutti/tutti.db');
  expect(await cli({ folder: repo, env }, 'status', 'prepared')).toMatchObject({
    code: 69,
    err: expect.stringMatching(
      /because git tracks it\n {2}→ take it out of git first: git rm -rq --cached \S+; then look at it and use it: tutti trust --state\n$/,
    ),
  });
  expect(await cli({ folder: repo, env }, 'trust', '--state', '--yes')).toMatchObject({
    code: 64,
    err: expect.stringContaining(`take it out of git first: git rm -rq --cached ${repo}/.tutti`),
  });
  git('rm', '-rq', '--cached', '.tutti');
  expect((await cli({ folder: repo, env }, 'status', 'prepared')).out).toContain('prepared');
});

test('a project that was moved on this machine is asked about once', async () => {
  using folder = tempFolder();
  const { place, repo, env } = await world(folder.path, 'own');
  const moved = join(place, 'moved');
  renameSync(repo, moved);
  expect(await cli({ folder: moved, env, stdin: '' }, 'resume', 'prepared')).toMatchObject({
    code: 69,
    err: expect.stringMatching(
      /Tutti made it in \S+repo\/\.tutti, and it was moved or copied\n {2}→ .*--state/,
    ),
  });
  const question = `Tutti made ${moved}/.tutti in ${repo}/.tutti. Use it here? [y/N]: `;
  const flow = ['run', 'x.yaml', '--run-id', 'next'] as const;
  const no = await cli({ folder: moved, env, terminal, typed: ['n', 'n'] }, ...flow);
  expect(no.err).toContain(question);
  expect(no.code).not.toBe(0);
  const yes = await cli({ folder: moved, env, terminal, typed: ['y', 'y'] }, ...flow);
  expect(yes.err).toContain(question);
  expect(yes).toMatchObject({ code: 0 });
  const again = await cli({ folder: moved, env, terminal, typed: ['n'] }, 'run', 'x.yaml');
  expect(again.err).not.toContain('Use it here?');
  expect(again).toMatchObject({ code: 0 });
});

/** A run of which an agent failed, in a folder that is then moved. */
const failing = `name: x
steps:
  - { id: first, command: [sh, -c, 'pwd >> first'] }
  - { id: second, needs: [first], command: [sh, -c, 'pwd >> second; test -e ready'] }
`;

test.each(['moved', 'copied'])(
  'a run of a project that was %s is resumed in the folder of now',
  async (how) => {
    using folder = tempFolder();
    const place = realpathSync(folder.path);
    const [old, now, env] = [join(place, 'old'), join(place, 'now'), { HOME: join(place, 'home') }];
    write(old, { 'x.yaml': failing });
    expect((await cli({ folder: old, env }, 'run', 'x.yaml', '--run-id', 'r', '--trust')).code).not.toBe(0);
    if (how === 'moved') renameSync(old, now);
    else cpSync(old, now, { recursive: true });
    write(now, { ready: '' });
    const resumed = await cli({ folder: now, env, terminal, typed: 'y' }, 'resume', 'r');
    expect([resumed.code, resumed.err]).toEqual([0, expect.stringContaining('Use it here? [y/N]')]);
    // What was done is kept, and the rest works here and not where the run began.
    const second = readFileSync(join(now, 'second'), 'utf8').trim().split('\n');
    expect(readFileSync(join(now, 'first'), 'utf8')).toBe(`${old}\n`);
    expect(second.at(-1)).toBe(now);
    expect(existsSync(join(old, 'second'))).toBe(how === 'copied');
    if (how === 'copied') expect(readFileSync(join(old, 'second'), 'utf8')).not.toContain(now);
  },
);

test('a run of a moved project is not advanced unasked, and the command that continues it is named', async () => {
  using folder = tempFolder();
  const { place, repo, env } = await world(folder.path, 'own');
  const moved = join(place, 'moved');
  renameSync(repo, moved);
  expect((await cli({ folder: moved, env }, 'trust', '--state', '--yes')).code).toBe(0);
  await cli({ folder: moved, env }, 'conductor');
  expect(existsSync(join(repo, 'fired')) || existsSync(join(moved, 'fired'))).toBe(false);
  expect((await cli({ folder: moved, env }, 'stop', 'prepared')).code).toBe(0);
  expect((await cli({ folder: moved, env }, 'resume', 'prepared')).code).toBe(0);
  expect(existsSync(join(moved, 'fired'))).toBe(true);
});

test('every run that a command could continue is shown before its state is used, also those that have ended', async () => {
  using folder = tempFolder();
  const place = realpathSync(folder.path);
  const [old, now, env] = [join(place, 'old'), join(place, 'now'), { HOME: join(place, 'home') }];
  write(old, { 'x.yaml': failing, 'good.yaml': 'steps: [{id: a, command: ["true"]}]\n' });
  await cli({ folder: old, env }, 'run', 'x.yaml', '--run-id', 'failed', '--trust');
  await cli({ folder: old, env }, 'run', 'good.yaml', '--run-id', 'good', '--trust');
  mkdirSync(now);
  cpSync(join(old, '.tutti'), join(now, '.tutti'), { recursive: true });
  const shown = [
    `${now}/.tutti (made in ${old}/.tutti) holds 2 runs, of which 0 would continue and 2 could be continued:`,
    '  flow good: ended with SUCCESS, could be continued',
    '    a: true',
    '  flow failed: ended with FAILURE, could be continued',
    "    first: sh -c 'pwd >> first'",
    "    second: sh -c 'pwd >> second; test -e ready'",
    '',
  ].join('\n');
  expect(await cli({ folder: now, env, stdin: '' }, 'resume', 'failed')).toMatchObject({
    code: 69,
    err: expect.stringContaining('look at it and use it: tutti trust --state'),
  });
  const moved = await cli({ folder: now, env, terminal, typed: 'n' }, 'resume', 'failed');
  expect(moved.err).toContain(`${shown}Tutti made ${now}/.tutti in ${old}/.tutti. Use it here? [y/N]: `);
  const { out } = await cli({ folder: now, env }, 'trust', '--state', '--yes');
  expect(out).toBe(`${shown}${now}/.tutti is used from now on\n`);
});

test('a step under way is shown as it is recorded, whatever the input of its run says', async () => {
  using folder = tempFolder();
  const place = realpathSync(folder.path);
  const [old, now, env] = [join(place, 'old'), join(place, 'now'), { HOME: join(place, 'home') }];
  write(old, { 'x.yaml': failing });
  await cli({ folder: old, env }, 'run', 'x.yaml', '--run-id', 'r', '--trust');
  cpSync(old, now, { recursive: true });
  const planted = { name: 'command', args: { argv: ['touch', 'planted'] }, workspace: now };
  using database = new DatabaseSync(join(now, '.tutti/tutti.db'));
  database
    .prepare("update entries set state = 'open', spec = ? where run = 'r' and key like 'second%'")
    .run(JSON.stringify(planted));
  const { out } = await cli({ folder: now, env, terminal, typed: 'n' }, 'trust', '--state');
  expect(out).toContain('    recorded second.args.argv: touch planted\n');
});

test('a state that changes while a person reads what it holds is not used', async () => {
  using folder = tempFolder();
  const { place, repo, env } = await world(folder.path, 'other');
  mkdirSync(join(place, 'evil'));
  const evil = await world(join(place, 'evil'), 'other', ['touch', 'evil']);
  const changed = await cli(
    {
      folder: repo,
      env,
      terminal,
      typed: 'y',
      onOutput: () => {
        for (const name of ['tutti.db', 'tutti.db-wal']) rmSync(join(repo, '.tutti', name), { force: true });
        cpSync(join(evil.repo, '.tutti'), join(repo, '.tutti'), { recursive: true, force: true });
      },
    },
    'trust',
    '--state',
  );
  expect(changed).toMatchObject({
    code: 64,
    err: expect.stringContaining('look at it again: tutti trust --state'),
  });
  expect((await cli({ folder: repo, env }, 'status')).code).toBe(69);
});

test('a plan of another person that was never started is shown with the commands that judge it', async () => {
  using folder = tempFolder();
  const { repo, env } = await world(folder.path, 'other');
  const maker = { PATH: process.env['PATH'], HOME: join(realpathSync(folder.path), 'other') };
  const opened = openTutti({ folder: repo, env: maker, create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  {
    using tutti = opened.value;
    const target = { name: 'api', targetDir: repo, projectType: 'new', stack: null, at: 1 } as const;
    await tutti.store.createPlan(blankPlan(target));
    await loadTasks(tutti, 'api', [task('T001')], ok);
  }
  const { out } = await cli({ folder: repo, env, terminal, typed: 'n' }, 'trust', '--state');
  expect(out).toContain('  plan api: a plan that could be executed\n    T001 (accept): ');
});

test('a copy beside the original is asked about too, and the original stays in use', async () => {
  using folder = tempFolder();
  const { place, repo, env } = await world(folder.path, 'own');
  const copy = join(place, 'copy');
  cpSync(repo, copy, { recursive: true });
  expect((await cli({ folder: copy, env }, 'status')).code).toBe(69);
  expect((await cli({ folder: copy, env }, 'trust', '--state', '--yes')).code).toBe(0);
  expect((await cli({ folder: copy, env }, 'status', 'prepared')).out).toContain('prepared');
  expect((await cli({ folder: repo, env }, 'status', 'prepared')).out).toContain('prepared');
});

test('a folder that holds nothing but a link is not taken for an empty one', async () => {
  using folder = tempFolder();
  const place = realpathSync(folder.path);
  const env = { HOME: join(place, 'home') };
  write(place, { 'repo/x.yaml': 'name: x\nsteps:\n  - { id: a, command: ["true"] }\n', 'repo/.tutti/a': '' });
  rmSync(join(place, 'repo/.tutti/a'));
  execFileSync('ln', ['-s', join(place, 'written'), join(place, 'repo/.tutti/.gitignore')]);
  const options = { folder: join(place, 'repo'), env, stdin: '' };
  expect((await cli(options, 'run', 'x.yaml', '--trust')).code).toBe(69);
  expect(() => execFileSync('cat', [join(place, 'written')], { stdio: 'pipe' })).toThrow();
});
