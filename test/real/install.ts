import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export type Cli = keyof typeof clis;

export type Installed =
  | { readonly ok: true; readonly program: string; readonly version: string }
  | { readonly ok: false; readonly version: string; readonly why: string };

const system = `${process.platform}-${process.arch}`;
const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
// Old processors too.
const bun = `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : 'x64-baseline'}`;

/**
 * The versions that the cells are written for. Where a package only picks a native program by a script of its own, the
 * package with that program is taken: no script of a package is run.
 */
const clis = {
  claude: {
    version: '2.1.325',
    name: `@anthropic-ai/claude-code-${system}`,
    program: `@anthropic-ai/claude-code-${system}/claude`,
  },
  codex: {
    version: '0.166.0',
    name: '@openai/codex',
    // What is on PATH only makes itself into this one, and is then found by its name no more.
    program: `@openai/codex-${system}/vendor/${machine}-unknown-linux-musl/bin/codex`,
  },
  gemini: { version: '0.61.0', name: '@google/gemini-cli', program: '.bin/gemini' },
  opencode: { version: '1.18.33', name: `opencode-${system}`, program: `opencode-${system}/bin/opencode` },
  'claude-agent-acp': {
    version: '0.99.1',
    name: '@agentclientprotocol/claude-agent-acp',
    program: '.bin/claude-agent-acp',
  },
  'codex-acp': { version: '2.6.0', name: '@agentclientprotocol/codex-acp', program: '.bin/codex-acp' },
  // No agent: what holds one.
  srt: { version: '0.0.83', name: '@anthropic-ai/sandbox-runtime', program: '.bin/srt' },
  // No agents either: what projects are prepared and tested with.
  pnpm: { version: '10.12.1', name: 'pnpm', program: '.bin/pnpm' },
  yarn: { version: '1.22.22', name: 'yarn', program: '.bin/yarn' },
  bun: { version: '1.4.4', name: bun, program: `${bun}/bin/bun` },
  deno: { version: '2.9.6', name: `@deno/${system}-glibc`, program: `@deno/${system}-glibc/deno` },
} as const;

const installLimitMs = 300_000;
const asked = new Map<Cli, Promise<Installed>>();

/** The real CLI, of one version, from the registry into a cache outside the repository. Trouble is told, never thrown. */
export function installed(cli: Cli): Promise<Installed> {
  const known = asked.get(cli) ?? install(cli);
  asked.set(cli, known);
  return known;
}

async function install(cli: Cli): Promise<Installed> {
  const { name, program: path, version: pinned } = clis[cli];
  // To try another version: TUTTI_REAL_CLAUDE=2.1.197.
  const version = process.env[`TUTTI_REAL_${cli.toUpperCase().replaceAll('-', '_')}`] ?? pinned;
  const cache = process.env['TUTTI_CACHE'] ?? join(homedir(), '.cache/tutti');
  const folder = join(cache, `${cli}-${version}`);
  const program = join(folder, 'node_modules', path);
  try {
    mkdirSync(cache, { recursive: true });
    if (!isRunnable(program)) {
      await withLock(`${folder}.lock`, async () => {
        if (!isRunnable(program)) await fetchInto(folder, `${name}@${version}`);
      });
    }
    accessSync(program, constants.X_OK);
    return { ok: true, program, version };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, version, why: `${name}@${version} could not be installed: ${why}` };
  }
}

/** Beside its place first: a folder that is there is complete. */
async function fetchInto(folder: string, wanted: string): Promise<void> {
  const half = `${folder}.half`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half);
  writeFileSync(join(half, 'package.json'), '{"private": true}\n');
  const flags =
    '--ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error --fetch-retries=1 --fetch-retry-mintimeout=1000';
  const args = ['install', ...flags.split(' '), '--prefix', half, wanted];
  const problem = await runNpm(args, half);
  if (problem !== null) {
    rmSync(half, { recursive: true, force: true });
    throw new Error(problem);
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(half, folder);
}

async function runNpm(args: readonly string[], cwd: string): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn('npm', args, {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: installLimitMs,
    });
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      told += part;
    });
    child.on('error', (error) => {
      resolve(error.message);
    });
    child.on('close', (code, signal) => {
      const lines = told.split('\n').filter((line) => line.startsWith('npm error'));
      const why = lines.slice(0, 3).join(' ').replaceAll('npm error ', '');
      if (code === 0) resolve(null);
      else resolve(why || `npm ended with ${code ?? signal ?? 'nothing'}`);
    });
  });
}

/** Test files may run beside each other, and so may whole test runs; whoever died holding it holds it no more. */
async function withLock(path: string, act: () => Promise<void>): Promise<void> {
  for (let waitedMs = 0; !take(path); waitedMs += 200) {
    if (waitedMs > installLimitMs) throw new Error(`somebody else holds ${path}`);
    await pause(200);
  }
  try {
    await act();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    if (isDead(path)) rmSync(path, { force: true });
    return false;
  }
}

function isDead(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

function isRunnable(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
