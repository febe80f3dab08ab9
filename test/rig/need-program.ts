import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';
import { findProgram } from '../../src/lib/find-program.ts';

interface OptionalProgram {
  readonly package: string;
  /** Arguments that succeed only where the program may do its work: a container can forbid namespaces and tracing. */
  readonly proof: readonly string[] | null;
}

/** Programs that tests use and a machine may lack. */
const optional = {
  bash: { package: 'bash', proof: null },
  bwrap: { package: 'bubblewrap', proof: ['--ro-bind', '/', '/', '--unshare-pid', 'true'] },
  strace: { package: 'strace', proof: ['-o', '/dev/null', '-e', 'trace=none', 'true'] },
  tmux: { package: 'tmux', proof: null },
  unshare: { package: 'util-linux', proof: ['-UrpfC', '--mount-proc', 'true'] },
} as const satisfies Record<string, OptionalProgram>;

type OptionalName = keyof typeof optional;

const problems = new Map<OptionalName, string | null>();

/** Skips the test where this program is missing, with a reason that names it. */
export function needProgram({ skip }: Pick<TestContext, 'skip'>, name: OptionalName): void {
  const problem = missingProgram(name);
  if (problem !== null) skip(problem);
}

/** The reason why this program cannot be used; null: it can. */
export function missingProgram(name: OptionalName): string | null {
  if (!problems.has(name)) problems.set(name, programProblem(name, optional[name], process.env['PATH']));
  return problems.get(name) ?? null;
}

/** Null: the program can be used. Otherwise a sentence that begins with its name. */
export function programProblem(
  name: string,
  { package: from, proof }: OptionalProgram,
  searchPath: string | undefined,
): string | null {
  const program = findProgram(name, searchPath);
  if (program === null) return `${name} is not installed: apt-get install ${from}`;
  if (proof === null || spawnSync(program, proof, { stdio: 'ignore' }).status === 0) return null;
  return `${name} is installed and may not do its work on this machine`;
}
