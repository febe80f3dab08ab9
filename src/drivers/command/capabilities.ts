import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type CommandConfig, programPath } from './launch.ts';

/** Null when the program is there and may be run; otherwise one sentence. */
export function missingProgram(config: CommandConfig, projectDir: string, searchPath: string): string | null {
  const program = programPath(config.command[0], projectDir);
  if (program.includes('/')) {
    return isRunnable(program) ? null : `${program} is not there or may not be executed`;
  }
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  if (folders.some((folder) => isRunnable(join(folder, program)))) return null;
  return `the program ${program} is not on PATH: install it, or name another one in tutti.yaml`;
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
