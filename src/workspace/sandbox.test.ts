import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { needProgram } from '../../test/rig/need-program.ts';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import type { SessionSandbox } from '../model/sandbox.ts';
import { sandboxed, type SandboxPlace, sandboxProblem } from './sandbox.ts';

const workspaceMode: SessionSandbox = { mode: 'workspace', write: ['~/allowed'], domains: [] };

function stage(root: string): SandboxPlace {
  const place: SandboxPlace = {
    projectDir: join(root, 'project'),
    workspace: join(root, 'project'),
    sessionDir: join(root, 'project/.tutti/sessions/s1'),
    workspaceFor: 'work',
    workspaceKind: 'checkout',
    addDirs: [join(root, 'shared')],
    guarded: ['.claude/settings.json'],
    home: join(root, 'home'),
    homes: ['.agent'],
    homeGuards: ['.agent/settings.json'],
    cacheDir: join(root, 'cache'),
    requests: join(root, 'project/.tutti/sessions/s1/requests'),
    answers: { all: join(root, 'answers'), own: join(root, 'answers/p/s1') },
    hasTerminal: false,
    programs: [],
    searchPath: process.env['PATH'],
  };
  for (const name of [
    'project/.git/hooks',
    'project/.tutti/sessions/s1/requests',
    'answers/p/s1',
    'answers/p/s2',
    'shared',
    'home/.agent',
    'home/allowed',
    'cache',
  ]) {
    mkdirSync(join(root, name), { recursive: true });
  }
  writeFileSync(join(root, 'home/.agent/settings.json'), '{}');
  writeFileSync(join(root, 'project/.git/config'), '[core]\n');
  writeFileSync(join(root, 'project/tutti.yaml'), '');
  writeFileSync(join(root, 'project/.tutti/tutti.db'), 'truth');
  return place;
}

/** What could be written, of these. */
function written(place: SandboxPlace, config: SessionSandbox, paths: readonly string[]): readonly string[] {
  const script = 'for path; do (echo x >"$path") 2>/dev/null; done; exit 7';
  const [program, ...args] = sandboxed(['sh', '-c', script, 'sh', ...paths], config, place);
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  expect(status, stderr).toBe(7);
  return paths.filter((path) => existsSync(path) && readFileSync(path, 'utf8') === 'x\n');
}

test('an agent writes where its session lets it, and nowhere else; its exit code stays', (context) => {
  needProgram(context, 'bwrap');
  using folder = tempFolder();
  const place = stage(folder.path);
  const at = (name: string): string => join(folder.path, name);
  const may = [
    'project/new.txt',
    'shared/a',
    'project/.tutti/sessions/s1/result.json',
    'home/.agent/t',
    'home/allowed/x',
  ];
  const mayNot = [
    'outside.txt',
    'home/.bashrc',
    'home/.agent/settings.json',
    'project/.git/hooks/pre-commit',
    'project/.git/config',
    'project/tutti.yaml',
    'project/.tutti/tutti.db',
    'project/.tutti/sessions/other',
  ];
  expect(written(place, workspaceMode, [...may, ...mayNot].map(at))).toEqual(may.map(at));
  // The control: without the sandbox everything can be written.
  const all = written(place, { ...workspaceMode, mode: 'off' }, [...may, ...mayNot].map(at));
  expect(all).toHaveLength(may.length + mayNot.length);
});

test('an agent that is there to look changes nothing in its workspace, and writes its result', (context) => {
  needProgram(context, 'bwrap');
  using folder = tempFolder();
  const place = stage(folder.path);
  const at = (name: string): string => join(folder.path, name);
  const paths = ['project/new.txt', 'project/.git/index', 'project/.tutti/sessions/s1/result.json'].map(at);
  const looks = { ...place, workspaceFor: 'look' as const };
  expect(written(looks, workspaceMode, paths)).toEqual(paths.slice(-1));
  // The control: the same agent, there to work.
  expect(written(place, workspaceMode, paths)).toEqual(paths);
});

test('nobody else’s processes are seen from inside', (context) => {
  needProgram(context, 'bwrap');
  using folder = tempFolder();
  const [program, ...args] = sandboxed(['sh', '-c', 'ls -d /proc/[0-9]*'], workspaceMode, stage(folder.path));
  const { stdout } = spawnSync(program, args, { encoding: 'utf8' });
  expect(stdout.trim().split('\n').length).toBeLessThan(6);
});

test('sockets of the services of a person are not seen from inside', (context) => {
  needProgram(context, 'bwrap');
  if (!existsSync('/run/user')) context.skip('this system has no /run/user');
  using folder = tempFolder('/run/user');
  using project = tempFolder();
  const seen = (config: SessionSandbox): string => {
    const [program, ...args] = sandboxed(['ls', '/run/user'], config, stage(project.path));
    return spawnSync(program, args, { encoding: 'utf8' }).stdout;
  };
  expect(seen(workspaceMode)).toBe('');
  // The control: without the sandbox they are.
  expect(seen({ ...workspaceMode, mode: 'off' })).toContain(basename(folder.path));
});

test('what is guarded cannot be moved away to put something else in its place', (context) => {
  needProgram(context, 'bwrap');
  using folder = tempFolder();
  const place = stage(folder.path);
  const hook = join(place.projectDir, '.git/hooks/pre-commit');
  const script = 'mv .git old && cp -r old .git && echo evil >.git/hooks/pre-commit';
  const attempt = (config: SessionSandbox): string => {
    const [program, ...args] = sandboxed(['sh', '-c', script], config, place);
    return spawnSync(program, args, { encoding: 'utf8', cwd: place.workspace }).stderr;
  };
  expect(attempt(workspaceMode)).toContain('busy');
  expect(existsSync(hook)).toBe(false);
  // The control: without the sandbox it works.
  expect(attempt({ ...workspaceMode, mode: 'off' })).toBe('');
  expect(existsSync(hook)).toBe(true);
});

test('a file of a CLI that is guarded stays as it is in its folder, whose other files can be written', (context) => {
  needProgram(context, 'bwrap');
  using folder = tempFolder();
  const place = stage(folder.path);
  const at = (name: string): string => join(place.projectDir, '.claude', name);
  mkdirSync(at('.'));
  writeFileSync(at('settings.json'), '{}');
  expect(written(place, workspaceMode, [at('settings.json'), at('notes.md')])).toEqual([at('notes.md')]);
  const [program, ...args] = sandboxed(['mv', at('.'), at('../old')], workspaceMode, place);
  expect(spawnSync(program, args, { encoding: 'utf8' }).stderr).toContain('busy');
  // The control: a file that is not guarded is an ordinary one.
  const unguarded = { ...place, guarded: [] };
  expect(written(unguarded, workspaceMode, [at('settings.json')])).toEqual([at('settings.json')]);
});

test('temporary files of an agent go where it may write, whatever the environment says', (context) => {
  needProgram(context, 'bwrap');
  using folder = tempFolder();
  const [program, ...args] = sandboxed(['sh', '-c', 'echo $TMPDIR'], workspaceMode, stage(folder.path));
  const env = { PATH: process.env['PATH'], TMPDIR: '/var/tmp' };
  expect(spawnSync(program, args, { encoding: 'utf8', env }).stdout).toBe('/tmp\n');
});

test('a program below a hidden place runs in the sandbox with its neighbours, by path, by name and by link', (context) => {
  needProgram(context, 'bwrap');
  for (const hidden of ['/tmp', '/dev/shm']) {
    using folder = tempFolder();
    using elsewhere = tempFolder(hidden);
    using linked = tempFolder();
    const at = (name: string): string => join(elsewhere.path, name);
    mkdirSync(at('bin'));
    writeFileSync(at('lines'), 'its neighbour\n');
    writeFileSync(at('bin/agent'), `#!/bin/sh\ncat "${at('lines')}"\n`, { mode: 0o755 });
    symlinkSync(at('bin/agent'), join(linked.path, 'linked-agent'));
    const searchPath = [at('bin'), linked.path, process.env['PATH']].join(delimiter);
    const place = { ...stage(folder.path), searchPath };
    const run = (...argv: readonly [string, ...string[]]): string => {
      const [program, ...args] = sandboxed(argv, workspaceMode, place);
      const env = { PATH: place.searchPath };
      return spawnSync(program, args, { encoding: 'utf8', env }).stdout;
    };
    for (const name of [at('bin/agent'), 'agent', 'linked-agent']) expect(run(name)).toBe('its neighbour\n');
    expect(run('sh', at('bin/agent'))).toBe('its neighbour\n');
  }
});

test('a folder below /tmp that holds no program of the agent stays hidden in the sandbox', (context) => {
  needProgram(context, 'bwrap');
  using folder = tempFolder();
  using other = tempFolder('/tmp');
  writeFileSync(join(other.path, 'secret'), 'read\n');
  const script = `cat "${join(other.path, 'secret')}"`;
  const read = (config: SessionSandbox): string => {
    const [program, ...args] = sandboxed(['sh', '-c', script], config, stage(folder.path));
    return spawnSync(program, args, { encoding: 'utf8' }).stdout;
  };
  expect(read(workspaceMode)).toBe('');
  // The control: without the sandbox it can be read.
  expect(read({ ...workspaceMode, mode: 'off' })).toBe('read\n');
});

test('a sandbox that was asked for and is not there is a sentence with the command that installs it', () => {
  using folder = tempFolder();
  writeFileSync(join(folder.path, 'bwrap'), '', { mode: 0o755 });
  expect(sandboxProblem(workspaceMode, folder.path)).toBeNull();
  expect(sandboxProblem(workspaceMode, '/nowhere')).toBe(
    'sandbox: workspace needs bwrap, which is not on PATH: apt-get install bubblewrap',
  );
  expect(sandboxProblem({ ...workspaceMode, mode: 'off' }, '/nowhere')).toBeNull();
});

test('strict is refused for each single tool that it needs', () => {
  using folder = tempFolder();
  const strict: SessionSandbox = { ...workspaceMode, mode: 'strict' };
  const put = (name: string): void => {
    writeFileSync(join(folder.path, name), '#!/bin/sh\n', { mode: 0o755 });
  };
  expect(sandboxProblem(strict, folder.path)).toBe(
    'sandbox: strict needs srt, bwrap, socat, rg, which is not on PATH: npm install -g @anthropic-ai/sandbox-runtime, ' +
      'and: apt-get install bubblewrap, and: apt-get install socat, and: apt-get install ripgrep',
  );
  for (const name of ['srt', 'bwrap', 'rg']) put(name);
  expect(sandboxProblem(strict, folder.path)).toBe(
    'sandbox: strict needs socat, which is not on PATH: apt-get install socat',
  );
  put('socat');
  expect(sandboxProblem(strict, folder.path)).toBeNull();
});

test('strict is the bubble of workspace, with the hosts that may be reached and the secrets that may not be read', () => {
  using folder = tempFolder();
  const place = stage(folder.path);
  const strict: SessionSandbox = { mode: 'strict', write: [], domains: ['api.example.com'] };
  const argv = sandboxed(['agent', '-p'], strict, place);
  const guarding = ['--ro-bind-try', join(place.projectDir, '.tutti'), join(place.projectDir, '.tutti')];
  expect(argv[0]).toBe('bwrap');
  expect(argv.join(' ')).toContain(guarding.join(' '));
  const [srt, , settings = '', ...rest] = argv.slice(argv.indexOf('--') + 1);
  expect(srt).toBe('srt');
  expect(rest.slice(-3)).toEqual([place.workspace, 'agent', '-p']);
  expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({
    network: { allowedDomains: ['api.example.com'] },
    filesystem: {
      denyRead: expect.arrayContaining([join(place.home, '.ssh')]),
      allowWrite: expect.arrayContaining([place.workspace, place.sessionDir]),
    },
  });
});

test('folders of a CLI that a person has linked elsewhere are written there; links of a repository open nothing', (context) => {
  needProgram(context, 'bwrap');
  using folder = tempFolder();
  const place = stage(folder.path);
  const at = (name: string): string => join(folder.path, name);
  mkdirSync(at('dotfiles'));
  mkdirSync(at('private'));
  rmSync(at('home/.agent'), { recursive: true });
  symlinkSync(at('dotfiles'), at('home/.agent'));
  writeFileSync(at('dotfiles/settings.json'), '{}');
  symlinkSync(at('private'), at('project/.claude'));
  const tried = ['home/.agent/t', 'home/.agent/settings.json', 'project/.claude/t'].map(at);
  expect(written(place, workspaceMode, tried)).toEqual([at('home/.agent/t')]);
});
