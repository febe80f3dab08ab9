import { chmodSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathsOf } from '../../src/app/project.ts';
import { workspaceTrust } from '../../src/app/trust/workspace-trust.ts';
import { trustRepository } from '../../src/app/trust/trust.ts';
import { type TempFolder, tempFolder } from '../rig/temp-folder.ts';
import { write } from './project.ts';
import { cli as trustingCli, type CliOptions } from './rig.ts';

/** Nothing is trusted that the test does not trust by a command. */
const cli = (options: CliOptions, ...args: readonly string[]) =>
  trustingCli({ ...options, trusts: false }, ...args);

/** A stand-in for claude that leaves what it was started with. */
const claude = `#!/bin/sh
cat > /dev/null
echo "$*" > started
printf '{"status":"success","summary":"done"}' > "$TUTTI_RESULT"
echo '{"type":"result","subtype":"success","is_error":false,"result":"done"}'
`;

/** One for gemini: only asked for its version, and never to start. */
const gemini = (version: string): string => `#!/bin/sh
case $1 in --version) pwd > "$HOME/asked-in"; echo ${version} ;; *) touch "$HOME/started"; exit 1 ;; esac
`;

/** The person's own: stand-ins leave their traces in the home, where no sandbox would let them. */
const config = (driver: string, bin: string): string => `driver: ${driver}
sandbox: off
drivers:
  claude: { type: claude, program: ${bin}/claude }
  gemini: { type: acp, preset: gemini, program: ${bin}/gemini }
  bridge: { type: acp, preset: claude-agent-acp, program: ${bin}/claude }
  other: { type: acp, command: [${bin}/claude] }
`;

interface Project {
  readonly repo: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

function project({ path }: TempFolder, driver: string, version = '0.61.0'): Project {
  const place = realpathSync(path);
  const [repo, home] = [join(place, 'repo'), join(place, 'home')];
  write(place, {
    'home/.config/tutti/config.yaml': config(driver, join(place, 'bin')),
    'bin/claude': claude,
    'bin/gemini': gemini(version),
    'flow.yaml':
      'name: f\nsteps:\n  - { id: work, agent: task-executor, prompt: Do it., retry: { max: 3 } }\n',
  });
  write(repo, {
    'tutti.yaml': '{}\n',
    'task.md': 'Do it.\n',
    '.claude/settings.json': '{}',
    '.gemini/settings.json': '{}',
  });
  for (const name of ['claude', 'gemini']) chmodSync(join(place, 'bin', name), 0o755);
  return { repo, home, env: { HOME: home } };
}

function sessionLog(repo: string): string {
  const folder = join(repo, '.tutti/sessions');
  return readdirSync(folder)
    .map((id) => readFileSync(join(folder, id, 'session.log'), 'utf8'))
    .join('');
}

const run = ({ repo, env }: Project) => cli({ folder: repo, env }, 'run', '../flow.yaml', '--run-id', 'r');

test('an agent in a repository that is not trusted starts without its settings, and the command and the log of its session name them', async () => {
  using folder = tempFolder();
  const made = project(folder, 'claude');
  const without =
    'agents work without .claude/settings.json, .gemini/settings.json, which you have not trusted as it is now; to use it: tutti trust\n';
  expect(await run(made)).toMatchObject({ code: 0, err: without });
  expect(readFileSync(join(made.repo, 'started'), 'utf8')).toContain(
    '--strict-mcp-config --setting-sources user',
  );
  expect(sessionLog(made.repo)).toContain(
    '[WARN] Not used, because the repository is not trusted (tutti trust): .claude/settings.json\n',
  );
});

test('a person who chose to work without them, and a program, are told nothing', async () => {
  using folder = tempFolder();
  const { repo, env } = project(folder, 'claude');
  const words = ['run', '../flow.yaml'];
  expect(await cli({ folder: repo, env }, ...words, '--no-trust')).toMatchObject({ code: 0, err: '' });
  expect(await cli({ folder: repo, env }, ...words, '--json')).toMatchObject({ code: 0, err: '' });
});

test('in a trusted one it starts as it always does, and there is nothing to say', async () => {
  using folder = tempFolder();
  const made = project(folder, 'claude');
  expect((await cli({ folder: made.repo, env: made.env }, 'trust', '--yes')).code).toBe(0);
  expect(await run(made)).toMatchObject({ code: 0 });
  expect(readFileSync(join(made.repo, 'started'), 'utf8')).not.toContain('--setting-sources');
  expect(sessionLog(made.repo)).not.toContain('Not used');
});

test('planning with --no-trust names the commands of the target that it leaves out', async () => {
  using folder = tempFolder();
  const { repo, env } = project(folder, 'claude');
  const scripts = JSON.stringify({ name: 'x', scripts: { test: 'node --test', lint: 'true' } });
  write(repo, { '../target/package.json': scripts });
  const words = ['plan', 'task.md', '--target', '../target', '--no-trust'];
  const { err } = await cli({ folder: repo, env, stdin: '' }, ...words);
  expect(err).toContain(
    'working without `npm test`, `npm run lint`, as you chose with --no-trust; to use them: tutti trust ../target\n',
  );
  const { err: json } = await cli({ folder: repo, env, stdin: '' }, ...words, '--json');
  expect(json).not.toContain('working without');
});

test('--no-trust counts for one command and for what continues its run, and keeps what else is trusted', async () => {
  using folder = tempFolder();
  const made = project(folder, 'claude');
  const { repo, env } = made;
  write(repo, { '../other/.mcp.json': '{}' });
  expect((await cli({ folder: repo, env }, 'trust', '../other', '--yes')).code).toBe(0);
  write(repo, { 'tutti.yaml': 'driver: gemini\n' });
  expect(await run(made)).toMatchObject({ code: 64, err: expect.stringContaining('tutti.yaml (driver)') });
  const flow = ['run', '../flow.yaml', '--run-id', 'r'];
  const goesOn = {
    code: 0,
    err: 'working without tutti.yaml (driver), as you chose with --no-trust; to use it: tutti trust\n',
  };
  expect(await cli({ folder: repo, env }, ...flow, '--no-trust')).toMatchObject(goesOn);
  expect(readdirSync(repo)).toContain('started');
  expect(await cli({ folder: repo, env }, ...flow)).toMatchObject(goesOn);
  expect((await cli({ folder: repo, env }, 'resume', 'r')).err).toContain('working without tutti.yaml');
  // Whatever begins something asks again.
  const others = [
    ['run', '../flow.yaml'],
    ['run', '../flow.yaml', '--run-id', 'other'],
    ['spawn', '--prompt', 'x'],
    ['executor', 'researcher', 'market', 'x'],
    ['orchestrator', 'oresearch', 'x'],
    ['build', '../flow.yaml'],
    ['session', 'create', 'task-executor', '../flow.yaml'],
    ['doctor', '--try'],
  ];
  for (const words of others) {
    const { code, err } = await cli({ folder: repo, env }, ...words);
    expect([words, code, err]).toEqual([words, 64, expect.stringContaining('tutti.yaml (driver)')]);
  }
  expect((await cli({ folder: repo, env }, 'doctor', '--try', 'claude', '--no-trust')).err).not.toContain(
    '--no-trust',
  );
  expect((await cli({ folder: repo, env }, 'trust', '../other', '--show')).code).toBe(0);
  write(repo, { 'tutti.yaml': 'driver: other\n' });
  expect((await run(made)).code).toBe(64);
});

test('a flow of the repository that is not trusted is refused, and working without it is not offered', async () => {
  using folder = tempFolder();
  const { repo, env } = project(folder, 'claude');
  write(repo, { 'flow.yaml': 'name: theirs\nsteps: [{ id: a, command: [touch, ran] }]\n' });
  const refused = await cli({ folder: repo, env }, 'run', 'flow.yaml');
  expect(refused).toMatchObject({
    code: 64,
    err: expect.stringContaining('not trusted as it is now: flow.yaml'),
  });
  expect(refused.err).not.toContain('--no-trust');
  expect(readdirSync(repo)).not.toContain('ran');
});

test('settings that a trusted tutti.yaml names are asked about again when they change, and an agent that changed them gets none', async () => {
  using folder = tempFolder();
  const made = project(folder, 'claude');
  const { repo, env } = made;
  const bin = join(repo, '../bin/claude');
  write(repo, {
    'tutti.yaml': `drivers: { claude: { type: claude, program: ${bin}, settings: own.json } }\n`,
    'own.json': '{}',
  });
  expect((await cli({ folder: repo, env }, 'trust', '--show')).out).toMatch(/own\.json .*of a driver/);
  expect((await cli({ folder: repo, env }, 'trust', '--yes')).code).toBe(0);
  expect(await run(made)).toMatchObject({ code: 0 });
  expect(readFileSync(join(repo, 'started'), 'utf8')).toContain(`--settings ${join(repo, 'own.json')}`);
  write(repo, { 'own.json': '{"hooks":{}}' });
  const again = ['run', '../flow.yaml', '--run-id', 'again'];
  expect(await cli({ folder: repo, env }, ...again)).toMatchObject({
    code: 64,
    err: expect.stringContaining('not trusted as it is now: own.json'),
  });
  expect(await cli({ folder: repo, env }, ...again, '--no-trust')).toMatchObject({ code: 69 });
  expect((await cli({ folder: repo, env }, 'doctor')).out).toMatch(
    /✕ driver claude .*is not trusted.*\n {2}→ look at it: tutti trust\n/,
  );
  expect((await cli({ folder: repo, env }, ...again, '--trust')).code).toBe(0);
  // The first turn writes the hooks of the second.
  write(repo, {
    '../bin/claude': claude.replace('cat > /dev/null', 'cat > /dev/null; echo \'{"new":1}\' > own.json'),
    '../two.yaml':
      'name: f\nsteps:\n  - { id: a, agent: task-executor, prompt: A }\n  - { id: b, needs: [a], agent: task-executor, prompt: B }\n',
  });
  const two = await cli({ folder: repo, env }, 'run', '../two.yaml', '--run-id', 'two');
  expect(two.code).toBe(69);
  expect(two.out).toMatch(/own\.json is not trusted as it is now/);
});

test.for(['bridge', 'other'])(
  'driver %s, which cannot be kept from them, is refused with the command that mends it, and not tried again',
  async (driver) => {
    using folder = tempFolder();
    const made = project(folder, driver);
    const { out, code } = await run(made);
    expect(code).toBe(69);
    expect(out).toMatch(
      /cannot be kept from .*\.claude\/settings\.json.* of \S+, which is not trusted: .*tutti trust/,
    );
    const { out: sessions } = await cli(
      { folder: made.repo, env: made.env },
      'session',
      'list',
      '--all',
      '--json',
    );
    expect(sessions.trimEnd().split('\n')).toHaveLength(1);
    const created = await cli(
      { folder: made.repo, env: made.env },
      'session',
      'create',
      'task-executor',
      'task.md',
    );
    expect(created).toMatchObject({ code: 69, out: '' });
    expect(created.err).toMatch(
      /which is not trusted: look at them, then: tutti trust\n {2}→ see what it brings: tutti trust --show\n$/,
    );
  },
);

test('a program that is kept by a variable is asked for its version first, elsewhere; an older one is refused', async () => {
  using folder = tempFolder();
  const made = project(folder, 'gemini', '0.60.9');
  const { out, code } = await run(made);
  expect(code).toBe(69);
  expect(out).toMatch(
    /cannot be kept from \.gemini\/settings\.json .*bin\/gemini 0\.60\.9 is older than 0\.61\.0\)/,
  );
  expect(readFileSync(join(made.home, 'asked-in'), 'utf8')).toBe('/\n');
  expect(readdirSync(made.home)).not.toContain('started');
});

test('the version that was tried is started', async () => {
  using folder = tempFolder();
  const made = project(folder, 'gemini');
  await run(made);
  expect(readdirSync(made.home)).toContain('started');
});

test('outside git trust is that of the project, for steps that work further down too', () => {
  using folder = tempFolder();
  const { repo, home, env } = project(folder, 'claude');
  write(repo, { 'sub/a.txt': 'A' });
  const place = { env, paths: pathsOf(repo) };
  expect(trustRepository(join(repo, 'sub'), env, new Date())).toMatchObject({ value: { repository: repo } });
  expect(workspaceTrust(join(repo, 'sub'), place)).toMatchObject({
    trusted: true,
    folders: [join(repo, 'sub'), repo],
    surfaces: [{ path: '.claude/settings.json' }, { path: '.gemini/settings.json' }],
  });
  expect(workspaceTrust(home, place)).toMatchObject({ trusted: false, repository: home });
});

test('a workspace that Tutti made for a trusted project is trusted; one beside it, or of another project, is not', () => {
  using folder = tempFolder();
  const { repo, home, env } = project(folder, 'claude');
  const { root, mark } = pathsOf(repo);
  const state = join(home, '.local/state/tutti');
  const [own, others] = [join(state, mark, 'T001/tree'), join(state, 'another', 'tree')];
  for (const tree of [own, others]) write(tree, { '.git': 'gitdir: /not/there\n', 'sub/.mcp.json': '{}' });
  const place = { env, paths: { root, mark } };
  expect(workspaceTrust(own, place)).toMatchObject({ trusted: false, repository: repo });
  write(repo, { 'sub/.mcp.json': '{}' });
  expect(trustRepository(join(repo, 'sub'), env, new Date())).toMatchObject({ ok: true });
  expect(workspaceTrust(join(own, 'sub'), place)).toEqual({
    trusted: true,
    repository: repo,
    folders: [join(own, 'sub'), own, repo],
    surfaces: [{ cli: 'claude', power: 'acts', path: 'sub/.mcp.json' }],
  });
  expect(workspaceTrust(others, place)).toMatchObject({ trusted: false, repository: others });
});
