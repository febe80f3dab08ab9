import { spawn } from 'node:child_process';

const mostCharacters = 10_000;

export interface VersionQuestion {
  readonly program: string;
  /** All that it sees: a program that is only asked its name needs no secrets. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly timeoutMs: number;
}

/** `said`: what it printed where that names no version; null: it failed, or did not answer in time. */
export type VersionAnswer =
  | { readonly version: string }
  | { readonly version: null; readonly said: string | null };

/** What a program answers to `--version`, as numbers with dots; null when it does not, or not in time. */
export async function programVersion(question: VersionQuestion): Promise<string | null> {
  return (await askVersion(question)).version;
}

export function askVersion({ program, env, cwd, timeoutMs }: VersionQuestion): Promise<VersionAnswer> {
  return new Promise((resolve) => {
    // In a group of its own: some start themselves once more, and both must go when the time is over.
    const child = spawn(program, ['--version'], {
      cwd,
      env: { ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let told = '';
    const timer = setTimeout(() => {
      endGroup(child.pid);
      // Whoever left the group may still hold it open.
      child.stdout.destroy();
    }, timeoutMs);
    child.stdout.on('data', (bytes: Buffer) => {
      if (told.length < mostCharacters) told += bytes.toString('utf8');
    });
    child.once('error', () => {
      clearTimeout(timer);
      resolve({ version: null, said: null });
    });
    child.once('exit', () => {
      endGroup(child.pid);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      const version = code === 0 ? versionIn(told) : null;
      resolve(version === null ? { version, said: code === 0 ? told : null } : { version });
    });
  });
}

function versionIn(text: string): string | null {
  return /\d+\.\d+(?:\.\d+)?/.exec(text)?.[0] ?? null;
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
}
