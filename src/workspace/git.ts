import { type ChildProcess, spawn } from 'node:child_process';
import { err, ok, type Result } from '../lib/result.ts';
import { gitEnvironment, harmless, programSettings, type Pin } from './pins.ts';

export interface GitEnd {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitOptions {
  /** What it reads. */
  readonly input?: string;
  /** Variables for this call, such as which index it uses. */
  readonly env?: Readonly<Record<string, string>>;
  readonly pins?: readonly Pin[];
}

const maxBuffer = 256 * 1024 * 1024;
/** A checkout of a large repository takes minutes; nothing takes longer. */
const timeout = 10 * 60_000;

/**
 * Git in a folder whose repository is not Tutti's: what could execute is pinned (`pins.ts`), and so is what the
 * repository's own configuration calls programs by names of its own. The operator's global filters (lfs) stay.
 */
export async function runGit(
  folder: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitEnd> {
  const listing = ['config', '--show-scope', '-z', '--name-only', '--get-regexp', programSettings];
  const { stdout } = await callGit(folder, listing);
  const parts = stdout.split('\0');
  const found = parts.flatMap((name, at) => (at % 2 === 1 && isOfRepository(parts[at - 1]) ? [name] : []));
  return callGit(folder, args, { ...options, pins: [...(options.pins ?? []), ...found.map(harmless)] });
}

function isOfRepository(scope: string | undefined): boolean {
  return scope === 'local' || scope === 'worktree';
}

/** Git on a repository whose configuration Tutti wrote; only `repository.ts` knows those. */
export function callGit(folder: string, args: readonly string[], options: GitOptions = {}): Promise<GitEnd> {
  const env = gitEnvironment(options.pins ?? [], options.env ?? {});
  return new Promise((resolve) => {
    // In a group of its own: Ctrl-C at the terminal is for Tutti, which lets what is under way finish.
    const child = spawn('git', [...args], { cwd: folder, env, detached: true });
    // Not the option of `spawn`: its timer outlives a program that could not be started, and keeps the process alive.
    const timer = setTimeout(() => child.kill(), timeout);
    const said = { stdout: new Output(child), stderr: new Output(child) };
    child.stdout.on('data', (chunk: Buffer) => said.stdout.take(chunk));
    child.stderr.on('data', (chunk: Buffer) => said.stderr.take(chunk));
    const end = (exitCode: number | null, trouble: string): void => {
      clearTimeout(timer);
      const stderr = said.stderr.text();
      resolve({ exitCode, stdout: said.stdout.text(), stderr: stderr === '' ? trouble : stderr });
    };
    child.once('error', (error) => end(null, error.message));
    child.once('close', (code, signal) => {
      end(code, code === 0 ? '' : `git ${args.join(' ')} ended with ${code ?? signal ?? 'nothing'}`);
    });
    // A git that ends before it has read everything is judged by its exit code.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}

/** What a child prints, up to a size that nothing of ours comes near. */
class Output {
  readonly #chunks: Buffer[] = [];
  readonly #child: ChildProcess;
  #bytes = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  take(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > maxBuffer) this.#child.kill();
    else this.#chunks.push(chunk);
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}

/** What git printed, without the last line's end; or what it said instead. */
export function textOf(end: GitEnd): Result<string, string> {
  if (end.exitCode === 0) return ok(end.stdout.replace(/\n$/, ''));
  return err(saidBy(end));
}

/** The first thing that git said went wrong. */
export function saidBy({ stderr }: GitEnd): string {
  const lines = stderr.trim().split('\n');
  const said = lines.find((line) => /^(fatal|error): /.test(line)) ?? lines[0] ?? '';
  return `git says: ${said.replace(/^(fatal|error): /, '')}`;
}

/** The parts of a listing made with `-z`. */
export function partsOf(stdout: string): readonly string[] {
  return stdout.split('\0').filter((part) => part !== '');
}
