import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { shortcuts } from '../../src/cli/arguments-line.ts';
import { commandNames, partNames } from '../../src/cli/commands.ts';
import { until } from '../rig/attempt-rig.ts';
import { needProgram } from '../rig/need-program.ts';
import { programForPerson } from '../rig/program.ts';
import { installedTutti } from '../rig/installed-tutti.ts';
import { repository } from '../rig/repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { asking, quick, write } from './project.ts';
import { cli } from './rig.ts';
import { trustProject } from '../rig/trust.ts';

/* The built program, as a process of its own: few, because coverage does not see them. */

const bin = installedTutti();
/** A person whose home is the folder, and who trusts what the test wrote there. */
function trusting(folder: string) {
  const env = { ...process.env, HOME: folder };
  trustProject(folder, env);
  return env;
}

const hooks = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve(specifier, context, next) {
    const found = next(specifier, context);
    process.stderr.write('loaded ' + found.url + '\\n');
    return found;
  } });
`)}`;

function tutti(cwd: string, ...args: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [programForPerson(args), ...args], {
    cwd,
    encoding: 'utf8',
    env: trusting(cwd),
  });
  return { stdout, stderr, status };
}

/** URLs of loaded files and built-ins, each bundled file followed by the sources in it. */
function loadedBy(cwd: string, ...args: readonly string[]): string[] {
  const { stderr } = spawnSync(process.execPath, ['--import', hooks, bin, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, HOME: cwd },
  });
  return stderr
    .split('\n')
    .flatMap((line) => (line.startsWith('loaded ') ? [line.slice(7), ...sourcesIn(line.slice(7))] : []));
}

/** The bundler writes the path of each source above its code. */
function sourcesIn(url: string): string[] {
  if (!url.includes('/dist/')) return [];
  const text = readFileSync(fileURLToPath(url), 'utf8');
  return [...text.matchAll(/^\/\/(?:#region)? ((?:src|node_modules)\/\S+)$/gm)].map(([, path = '']) => path);
}

test.for(['', '--help', '-h', 'help'])('`tutti %s` prints exactly what stricli would', async (args) => {
  using folder = tempFolder();
  const expected = await cli({ folder: folder.path }, '--help');
  expect(readFileSync(repository('dist/help.txt'), 'utf8')).toBe(expected.out);
  const words = args === '' ? [] : [args];
  expect(tutti(folder.path, ...words)).toEqual({ stdout: expected.out, stderr: '', status: 0 });
});

test.for([
  ['--help'],
  ['--version'],
  ['-v'],
  ['help'],
  ['help', '--all'],
  ['run', '--help'],
  ['help', 'session', 'list'],
  ['task', '-h'],
  ['ps', '--help'],
])('`tutti %s` loads nothing', (words) => {
  using folder = tempFolder();
  const files = loadedBy(folder.path, ...words).filter((url) => url.startsWith('file:'));
  expect(files).toEqual([expect.stringMatching(/bin\/tutti\.js$/)]);
});

test('tests start the program that the tarball holds, where no source lies beside it', () => {
  const root = join(bin, '..', '..');
  expect(root.startsWith(repository('node_modules/.cache/'))).toBe(true);
  expect(existsSync(join(root, 'src'))).toBe(false);
  expect(existsSync(join(root, 'dist/cli/main.js'))).toBe(true);
});

test('a command line that names no command loads nothing heavy, and the probe can see it', () => {
  using folder = tempFolder();
  // Who calls is looked up when it is asked for, and a store is composed when one is opened: those modules are light, and one names a folder.
  const heavy =
    /zod|yaml|sqlite|src\/(app(?!\/(people\/process-caller|state-folder|store-composition))|store|kernel)/;
  for (const words of [
    ['sesion', 'list'],
    ['__complete', 'sta'],
  ]) {
    const loaded = loadedBy(folder.path, ...words);
    expect(loaded.filter((url) => heavy.test(url))).toEqual([]);
    expect(loaded.some((url) => url.includes('@stricli/core'))).toBe(true);
  }
  expect(loadedBy(folder.path, 'doctor').some((url) => /zod/.test(url))).toBe(true);
});

test('a command loads no definitions but its own and those bundled with it', () => {
  using folder = tempFolder();
  const loaded = loadedBy(folder.path, 'config');
  const others = ['run', 'plan/make', 'session/kill', 'task/start'].map(
    (path) => `src/cli/commands/${path}.ts`,
  );
  expect(loaded).toContain('src/cli/commands/config.ts');
  expect(loaded.filter((path) => others.includes(path))).toEqual([]);
});

test('a command that looks loads no parser while the configuration is as a run found it', () => {
  using folder = tempFolder();
  write(folder.path, { 'tutti.yaml': 'max_sessions: 4\n', 'flow.yaml': quick });
  const parsers = () => loadedBy(folder.path, 'status').filter((path) => /\/(yaml|zod)\//.test(path));
  expect(tutti(folder.path, 'run', 'flow.yaml').status).toBe(0);
  expect(parsers()).toEqual([]);
  write(folder.path, { 'tutti.yaml': 'max_sessions: 5\n' });
  expect(parsers()).not.toEqual([]);
});

test('the help of every command is what stricli prints', async () => {
  using folder = tempFolder();
  const pages = JSON.parse(readFileSync(repository('dist/help.json'), 'utf8')) as Record<string, string>;
  const names = [...commandNames, ...shortcuts.keys()].flatMap((name) => [
    name,
    ...(partNames.get(name) ?? []).map((part) => `${name} ${part}`),
  ]);
  expect(Object.keys(pages).toSorted()).toEqual([...names, 'conductor', 'help --all'].toSorted());
  for (const name of ['run', 'session', 'session list', 'help --all', 'ls']) {
    const words = name.split(' ');
    const asked = words[0] === 'help' ? words : ['help', ...words];
    expect(pages[name]).toBe((await cli({ folder: folder.path }, ...asked)).out);
    expect(tutti(folder.path, ...asked)).toEqual({ stdout: pages[name], stderr: '', status: 0 });
  }
});

test('the version is that of the package, and the shim asks for the Node that engines names', () => {
  using folder = tempFolder();
  const { engines, version } = JSON.parse(readFileSync(repository('package.json'), 'utf8')) as {
    engines: { node: string };
    version: string;
  };
  const needed = /needed = \[(\d+), (\d+)\]/.exec(readFileSync(bin, 'utf8'));
  expect(engines.node).toBe(`>=${needed?.[1]}.${needed?.[2]}`);
  expect(tutti(folder.path, '--version')).toEqual({ stdout: `${version}\n`, stderr: '', status: 0 });
  expect(tutti(folder.path, '--version', '--json').stdout).toBe(`${JSON.stringify({ version })}\n`);
});

test('an older Node gets one sentence, a next command and exit code 69', () => {
  const pretend = `data:text/javascript,${encodeURIComponent(
    `Object.defineProperty(process.versions, 'node', { value: '20.20.2' });`,
  )}`;
  const old = spawnSync(process.execPath, ['--import', pretend, bin, '--help'], { encoding: 'utf8' });
  expect(old.status).toBe(69);
  expect(old.stdout).toBe('');
  expect(old.stderr).toMatch(/^tutti needs Node 22\.13 or newer, but this is Node 20\.20\.2\n {2}→ .*\n$/);
});

test.for(['runs', '--version'])('output of `tutti %s` that cannot be written is no success', (word) => {
  using folder = tempFolder();
  const type = (redirection: string) =>
    spawnSync('sh', ['-c', `exec "$@" ${redirection}`, 'sh', process.execPath, bin, word], {
      cwd: folder.path,
      encoding: 'utf8',
      env: trusting(folder.path),
    });
  const full = type('> /dev/full');
  expect(full.stderr).toContain('tutti: standard output cannot be written: ENOSPC');
  expect(full.status).toBe(1);
  // What cannot be said on standard error does not silence the answer.
  expect(type('2> /dev/full')).toMatchObject({ status: 0, stdout: expect.stringMatching(/./) });
  // Standard output that is closed counts as one that the caller does not want; one that is no place to write does not.
  expect(type('>&-')).toMatchObject({ status: 0, stderr: '' });
  expect(type('<&- >&- 2>&-')).toMatchObject({ status: 0 });
  expect(type('1< /dev/null')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('EBADF') as string,
  });
});

test('a command that fails keeps its code when its output cannot be written', async () => {
  using folder = tempFolder();
  const options = { folder: folder.path, writeProblem: 'ENOSPC' };
  expect(await cli(options, 'runs', '--json')).toMatchObject({
    code: 1,
    err: expect.stringContaining('"message":"standard output cannot be written: ENOSPC"'),
  });
  const failed = await cli(options, 'status', 'nothing');
  expect(failed.code).not.toBe(1);
  expect(failed.err).not.toContain('ENOSPC');
});

test('in a folder that was deleted there is one sentence, and no stack', () => {
  using folder = tempFolder();
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  const argv = ['-c', script, 'sh', process.execPath, installedTutti(), 'status'];
  const { status, stderr } = spawnSync('sh', argv, { cwd: folder.path, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 69,
    stderr: 'tutti: the folder that you are in was deleted\n  → go to one that exists, then again\n',
  });
});

test('a reader that goes away ends a follower quietly, and a run not at all', async () => {
  using folder = tempFolder();
  write(folder.path, { 'flow.yaml': quick, 'slow.yaml': 'steps:\n  - {id: a, command: [sleep, "0.5"]}\n' });
  const piped = `"${process.execPath}" "${bin}" run slow.yaml --run-id r1 | head -1; echo "\${PIPESTATUS[0]}"`;
  const end = spawnSync('bash', ['-c', piped], {
    cwd: folder.path,
    encoding: 'utf8',
    env: trusting(folder.path),
  });
  expect(end.stdout).toMatch(/run started.*\n0\n$/);
  expect(end.stderr).toBe('');
  expect(tutti(folder.path, 'status', 'r1').stdout).toContain('SUCCESS');
});

test('SIGTERM drains: exit code 24, and resume goes on', async () => {
  using folder = tempFolder();
  write(folder.path, {
    'flow.yaml':
      'steps:\n  - {id: a, command: [sh, -c, "until [ -e go ]; do sleep 0.05; done"]}\n  - {id: b, needs: [a], command: [echo, b]}\n',
  });
  const child = spawn(process.execPath, [bin, 'run', 'flow.yaml', '--run-id', 'r1'], {
    cwd: folder.path,
    env: trusting(folder.path),
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (!out.includes('a started') && String(chunk).includes('a started')) child.kill('SIGTERM');
    out += String(chunk);
    // It ends only after the signal was heard, however slow the machine is.
    if (out.includes('halting')) write(folder.path, { go: '' });
  });
  const code = await new Promise((resolve) => {
    child.on('exit', resolve);
  });
  expect(code).toBe(24);
  expect(out).toMatch(/halting[\s\S]*✔ a done[\s\S]*tutti resume r1\n$/);
  expect(tutti(folder.path, 'resume')).toMatchObject({ status: 0, stderr: '' });
});

test('detached, a conductor advances the run; an answer brings it back when it had gone', {
  timeout: 300_000,
}, async () => {
  using folder = tempFolder();
  write(folder.path, { 'flow.yaml': asking });
  expect(tutti(folder.path, 'run', 'flow.yaml', '--run-id', 'r1', '--detach')).toEqual({
    stdout: 'run r1 continues in the background\n  → watch it: tutti events r1 --follow\n',
    stderr: '',
    status: 0,
  });
  expect(tutti(folder.path, 'status', 'r1').stdout).not.toContain('no process advances it');
  const inbox = () => tutti(folder.path, 'inbox').stdout;
  await until('the question is in the inbox', () => inbox().includes('Q1'));
  expect(inbox()).toContain('May it go out?');
  const log = join(folder.path, '.tutti', 'logs', 'conductor.log');
  const ended = () => (readFileSync(log, 'utf8').match(/nothing left/g) ?? []).length;
  await until('the conductor goes', () => ended() >= 1);

  expect(tutti(folder.path, 'answer', 'Q1', '1')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining('run r1 continues in the background'),
  });
  const followed = tutti(folder.path, 'events', '--follow');
  expect(followed).toMatchObject({ status: 0, stderr: '' });
  expect(followed.stdout).toMatch(/✔ ship done\n.*run ended with SUCCESS\n$/);
  await until('the second conductor goes', () => ended() >= 2);
});

test('a bash that sourced the script completes with it', (context) => {
  needProgram(context, 'bash');
  using folder = tempFolder();
  mkdirSync(join(folder.path, 'bin'));
  symlinkSync(bin, join(folder.path, 'bin', 'tutti'));
  const script =
    'source <(tutti completions bash); COMP_WORDS=(tutti sta); COMP_CWORD=1; _tutti; echo "${COMPREPLY[@]}"';
  const env = {
    ...process.env,
    PATH: `${join(folder.path, 'bin')}:${join(process.execPath, '..')}:${process.env['PATH'] ?? ''}`,
  };
  expect(existsSync(join(folder.path, 'bin', 'tutti'))).toBe(true);
  expect(execFileSync('bash', ['-c', script], { cwd: folder.path, env, encoding: 'utf8' })).toBe('status\n');
});
