import { spawnSync } from 'node:child_process';
import { findProgram } from '../lib/find-program.ts';
import { oneLine } from '../lib/terminal-text.ts';

const install = 'apt-get install bubblewrap';
const patienceMs = 10_000;

/** What every sandbox of ours needs of the system, around a program that does nothing. */
const trial =
  '--ro-bind / / --dev /dev --tmpfs /tmp --proc /proc --unshare-pid --unshare-ipc --unshare-uts --die-with-parent --new-session -- true'.split(
    ' ',
  );

/** By the path of the program. What a system permits does not change while a process lives. */
const tried = new Map<string, string | null>();

/** Why bubblewrap holds nothing on this machine; null: it works. Found out by trying, once for each process. */
export function bubbleProblem(searchPath: string | undefined): string | null {
  const program = findProgram('bwrap', searchPath);
  if (program === null) return `bwrap is not on PATH: ${install}`;
  const known = tried.get(program);
  if (known !== undefined) return known;
  const problem = tryBubble(program, searchPath);
  tried.set(program, problem);
  return problem;
}

function tryBubble(program: string, searchPath: string | undefined): string | null {
  const { status, stderr, error } = spawnSync(program, trial, {
    encoding: 'utf8',
    env: { PATH: searchPath },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: patienceMs,
  });
  if (status === 0) return null;
  const said = oneLine(error?.message ?? stderr.trim(), 200);
  return `bwrap does not work on this machine${said === '' ? '' : ` (${said})`}`;
}
