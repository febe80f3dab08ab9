import type { TestContext } from 'vitest';
import { findProgram } from '../../src/lib/find-program.ts';

/** Programs that tests use and a machine may lack, and the command that installs each. */
const packages = {
  bash: 'bash',
  bwrap: 'bubblewrap',
  jq: 'jq',
  rg: 'ripgrep',
  socat: 'socat',
  strace: 'strace',
  tmux: 'tmux',
} as const;

type OptionalProgram = keyof typeof packages;

/** Skips the test without this program, with a reason that names it. The first line of a test that needs one. */
export function needProgram(
  context: Pick<TestContext, 'skip'>,
  ...programs: readonly OptionalProgram[]
): void {
  const missing = programs.filter((program) => !hasProgram(program));
  if (missing.length > 0) context.skip(missing.map(missingProgram).join('; '));
}

function hasProgram(program: OptionalProgram): boolean {
  return findProgram(program, process.env['PATH']) !== null;
}

function missingProgram(program: OptionalProgram): string {
  return `${program} is not installed: apt-get install ${packages[program]}`;
}
