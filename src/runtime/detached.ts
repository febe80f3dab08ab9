import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

export interface DetachedProgram {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
}

/** Starts a program that lives on without us, in a session of its own. Resolves with its pid once it runs. */
export function startDetached({ argv, cwd, env, logFile }: DetachedProgram): Promise<number> {
  const [program, ...args] = argv;
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  child.unref();
  return new Promise((resolve, reject) => {
    child.once('spawn', () => {
      resolve(child.pid ?? 0);
    });
    child.once('error', reject);
  });
}
