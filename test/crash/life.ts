import { spawn } from 'node:child_process';
import { repository } from '../rig/repository.ts';

/** One life of a victim: how it ended, and what it complained of. */
export interface Life {
  readonly killed: boolean;
  readonly stderr: string;
  readonly code: number | null;
}

/** Starts a program of this folder and waits for its end, by its own hand or by SIGKILL. */
export function live(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Life> {
  const child = spawn(process.execPath, [repository(`test/crash/${program}`), ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ killed: signal === 'SIGKILL', stderr, code });
    });
  });
}
