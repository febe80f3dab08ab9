import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve as pathFrom } from 'node:path';
import { findProgram, isRunnable } from '../lib/find-program.ts';
import type { RelaySpec } from './session-relay-spec.ts';
import type { RecordedEnd } from './recorded-end.ts';

type Started = Pick<RelaySpec, 'argv' | 'cwd' | 'searchPath'>;

/** How a child of a launcher ended, or why it could not be started. */
export function exitOf(child: ChildProcess, spec: Started): Promise<Omit<RecordedEnd, 'ended'>> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => {
      // What takes its limits first is there even where the program is not.
      const missing = (exitCode === 126 || exitCode === 127) && !isThere(spec);
      resolve({ exitCode, signal, problem: missing ? 'no-program' : null, reason: null });
    });
    child.once('error', (error) => {
      // The system says the same for a missing directory as for a missing program.
      const [exitCode, problem] = existsSync(spec.cwd)
        ? [127, 'no-program' as const]
        : [126, 'no-directory' as const];
      resolve({ exitCode, signal: null, problem, reason: error.message });
    });
  });
}

function isThere({ argv: [program], cwd, searchPath }: Started): boolean {
  if (!program.includes('/')) return findProgram(program, searchPath) !== null;
  return isRunnable(pathFrom(cwd, program));
}
