import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { leaveGroups } from '../lib/process/cgroup-members.ts';
import { isGroupName } from './limits/group.ts';

export interface RunningProgram {
  readonly pid: number;
  /** Null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** SIGKILL: no farewell, no clean-up. */
  kill(): void;
}

export interface ProgramParams {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
  /** `alone`: in a session of its own, and nobody waits for it. */
  readonly life: 'with-us' | 'alone';
}

/** Another program of ours: one that lives on without us, or one that we watch and may kill as a crash would. */
export function startProgram({ argv, cwd, env, logFile, life }: ProgramParams): Promise<RunningProgram> {
  const [program, ...args] = argv;
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(program, args, { cwd, env, detached: life === 'alone', stdio: ['ignore', log, log] });
  closeSync(log);
  if (life === 'alone') child.unref();
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      // Started inside a session, it is not part of it, and must not end with it.
      if (life === 'alone') leaveGroups(child.pid ?? 0, isGroupName);
      resolve({ pid: child.pid ?? 0, exited, kill: () => child.kill('SIGKILL') });
    });
  });
}
