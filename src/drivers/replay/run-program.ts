import { spawnSync } from 'node:child_process';

export type ProgramEnd =
  | { readonly ended: true }
  /** One sentence, with the end of what it printed. */
  | { readonly ended: false; readonly why: string };

/** Runs a command of a cassette to its end, with no shell and no input. */
export function runProgram(
  argv: readonly [string, ...string[]],
  place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): ProgramEnd {
  const [program, ...rest] = argv;
  const run = spawnSync(program, rest, {
    ...place,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  if (run.error !== undefined) return { ended: false, why: run.error.message };
  if (run.status === 0) return { ended: true };
  const how =
    run.status === null ? `was ended by ${run.signal ?? 'a signal'}` : `ended with exit code ${run.status}`;
  return {
    ended: false,
    why: `${argv.join(' ')} ${how}: ${`${run.stdout}${run.stderr}`.trim().slice(-500)}`,
  };
}
