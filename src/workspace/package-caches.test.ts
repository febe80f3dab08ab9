import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { tempFolder } from '../../test/rig/temp-folder.ts';
import { findProgram } from '../lib/find-program.ts';
import { bubbleProblem } from './bubble-probe.ts';
import { sandboxed, type SandboxPlace } from './sandbox.ts';

const searchPath = process.env['PATH'];

/** The test needs real programs: one that is missing is named. */
function need(context: TestContext, ...programs: readonly string[]): void {
  const absent = programs.filter((program) => findProgram(program, searchPath) === null);
  if (absent.length > 0) context.skip(`not installed: ${absent.join(', ')}`);
  // A program can be a shim of a version manager that finds nothing in this home.
  const broken = programs.filter((program) => spawnSync(program, ['--version']).status !== 0);
  if (broken.length > 0) context.skip(`installed, and does not start here: ${broken.join(', ')}`);
  const problem = bubbleProblem(searchPath);
  if (problem !== null) context.skip(problem);
}

class Machine {
  readonly #root: string;
  readonly workspace: string;

  constructor(root: string, files: Readonly<Record<string, string>>) {
    this.#root = root;
    this.workspace = join(root, 'work');
    for (const name of ['work', 'home', 'cache', 'session/requests', 'answers/own'])
      mkdirSync(join(root, name), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(root, name, '..'), { recursive: true });
      writeFileSync(join(root, name), text);
    }
  }

  at(name: string): string {
    return join(this.#root, name);
  }

  run(argv: readonly [string, ...string[]], mode: 'workspace' | 'off' = 'workspace') {
    const place: SandboxPlace = {
      projectDir: this.workspace,
      workspace: this.workspace,
      sessionDir: this.at('session'),
      workspaceFor: 'work',
      workspaceKind: 'checkout',
      addDirs: [],
      home: this.at('home'),
      homes: [],
      guarded: [],
      homeGuards: [],
      cacheDir: this.at('cache'),
      requests: this.at('session/requests'),
      answers: { all: this.at('answers'), own: this.at('answers/own') },
      hasTerminal: false,
      programs: [],
      searchPath,
    };
    const [program, ...args] = sandboxed(argv, { mode, write: [], domains: [] }, place);
    const env = {
      PATH: searchPath,
      HOME: this.at('home'),
      RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? rustupHome,
    };
    const { status, stdout, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      env,
      cwd: this.workspace,
    });
    return { status, output: `${stdout}${stderr}` };
  }
}

/** Where cargo finds its toolchain, whatever home the test gives it. */
const rustupHome = join(process.env['HOME'] ?? '/', '.rustup');

/** A package whose only dependency is a tarball beside it, so that no registry is asked. */
function npmProject(root: string): Machine {
  const machine = new Machine(root, {
    'tiny/package.json': '{"name":"tiny","version":"1.0.0"}',
    'tiny/index.js': 'module.exports = 42;\n',
    'work/package.json': '{"name":"work","version":"1.0.0","dependencies":{"tiny":"file:tiny-1.0.0.tgz"}}',
  });
  const npm = (cwd: string, ...args: string[]) =>
    spawnSync('npm', [...args, '--cache', machine.at('own-cache')], { cwd, encoding: 'utf8' });
  expect(npm(machine.workspace, 'pack', machine.at('tiny')).status).toBe(0);
  const locked = npm(machine.workspace, 'install', '--package-lock-only', '--no-audit');
  expect(locked.status, locked.stderr).toBe(0);
  return machine;
}

test('npm ci works in the sandbox, and its cache is that of the project', (context) => {
  need(context, 'npm', 'bwrap');
  using folder = tempFolder();
  const machine = npmProject(folder.path);
  const { status, output } = machine.run(['npm', 'ci', '--no-audit']);
  expect(status, output).toBe(0);
  expect(existsSync(join(machine.workspace, 'node_modules/tiny/index.js'))).toBe(true);
  expect(readdirSync(machine.at('cache/npm'))).toContain('_cacache');
  expect(readdirSync(machine.at('home'))).toEqual([]);
});

test('control: without redirected caches npm writes into the home', (context) => {
  need(context, 'npm', 'bwrap');
  using folder = tempFolder();
  const machine = npmProject(folder.path);
  expect(machine.run(['npm', 'ci', '--no-audit'], 'off').status).toBe(0);
  expect(readdirSync(machine.at('home'))).toContain('.npm');
});

test('cargo build works in the sandbox with the settings of the person, which it cannot change', (context) => {
  need(context, 'cargo', 'bwrap');
  using folder = tempFolder();
  const machine = new Machine(folder.path, {
    'home/.cargo/config.toml': '[alias]\nmine = "version"\n',
    'work/Cargo.toml': '[package]\nname = "work"\nversion = "0.1.0"\nedition = "2021"\n',
    'work/src/main.rs': 'fn main() {}\n',
  });
  const built = machine.run(['cargo', 'build', '--offline']);
  expect(built.status, built.output).toBe(0);
  expect(machine.run(['cargo', 'mine']).output).toContain('cargo ');
  expect(machine.run(['sh', '-c', 'echo > "$CARGO_HOME/config.toml"']).status).not.toBe(0);
});

test.for([
  ['pnpm', 'PNPM_HOME', 'pnpm'],
  ['yarn', 'YARN_GLOBAL_FOLDER', 'yarn'],
  ['bun', 'BUN_INSTALL_CACHE_DIR', 'bun'],
  ['deno', 'DENO_DIR', 'deno'],
  ['pip', 'PIP_CACHE_DIR', 'pip'],
  ['uv', 'UV_CACHE_DIR', 'uv'],
  ['poetry', 'POETRY_CACHE_DIR', 'poetry'],
  ['go', 'GOMODCACHE', 'go-mod'],
  ['go (builds)', 'GOCACHE', 'go-build'],
  ['gradle', 'GRADLE_USER_HOME', 'gradle'],
  ['ccache', 'CCACHE_DIR', 'ccache'],
] as const)(
  'the cache of %s can be written in the sandbox, and the home cannot',
  ([, variable, name], context) => {
    need(context);
    using folder = tempFolder();
    const machine = new Machine(folder.path, {});
    // Stands in for the tool: makes its cache where the variable says.
    const tool = `mkdir -p "$${variable}" && echo x > "$${variable}/entry"`;
    expect(machine.run(['sh', '-c', tool]).status).toBe(0);
    expect(existsSync(machine.at(`cache/${name}/entry`))).toBe(true);
    expect(machine.run(['sh', '-c', 'echo x > "$HOME/.npmrc"']).status).not.toBe(0);
  },
);
