import { findProgram, isRunnable } from '../../lib/find-program.ts';
import type { CodexDriver } from '../../model/codex.ts';
import { programPath } from '../command/launch.ts';

/** Null when the program is there and may be run; otherwise one sentence. */
export function missingCodex(config: CodexDriver, projectDir: string, searchPath: string): string | null {
  const program = programPath(config.program, projectDir);
  const found = program.includes('/') ? isRunnable(program) : findProgram(program, searchPath) !== null;
  if (found) return null;
  return `the program ${program} is not there or may not be run: npm install -g @openai/codex, or name another one in tutti.yaml`;
}
