import { findProgram, isRunnable } from '../lib/find-program.ts';
import { programPath } from './command/launch.ts';
import type { DriverPaths } from './driver-definition.ts';

/** Null when the program is there and may be run; otherwise one sentence. */
export function missingCli(
  name: string,
  install: string,
  { projectDir, searchPath }: DriverPaths,
): string | null {
  const program = programPath(name, projectDir);
  const found = program.includes('/') ? isRunnable(program) : findProgram(program, searchPath) !== null;
  if (found) return null;
  return `the program ${program} is not there or may not be run: ${install}, or name another one in tutti.yaml`;
}
