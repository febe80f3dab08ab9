import { findProgram, isRunnable } from '../../lib/find-program.ts';
import { type CommandConfig, programPath } from './launch.ts';

/** Null when the program is there and may be run; otherwise one sentence. */
export function missingProgram(config: CommandConfig, projectDir: string, searchPath: string): string | null {
  const program = programPath(config.command[0], projectDir);
  if (program.includes('/')) {
    return isRunnable(program) ? null : `${program} is not there or may not be executed`;
  }
  if (findProgram(program, searchPath) !== null) return null;
  return `the program ${program} is not on PATH: install it, or name another one in tutti.yaml`;
}
