import { execFile } from 'node:child_process';

export interface GitEnd {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Git as Tutti calls it: a repository's own configuration can run programs (`core.fsmonitor`, hooks, filters, an
 * external diff), and an agent can write that configuration, so every call pins what could execute.
 */
const pinned = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'diff.external=',
  'core.sshCommand=false',
];

export function runGit(folder: string, args: readonly string[]): Promise<GitEnd> {
  const pins = pinned.flatMap((pin) => ['-c', pin]);
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, timeout: 60_000, encoding: 'utf8' } as const;
  return new Promise((resolve) => {
    execFile('git', [...pins, ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve({ exitCode: 0, stdout, stderr });
      else {
        const code = typeof error.code === 'number' ? error.code : null;
        resolve({ exitCode: code, stdout, stderr: stderr === '' ? error.message : stderr });
      }
    });
  });
}
