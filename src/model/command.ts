import { formatDuration } from '../lib/duration.ts';

/** How a program that Tutti ran ended; the whole output stays in its log. */
export interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** The end of its output, at most a few thousand characters. */
  readonly outputTail: string;
  readonly lastLine: string;
  readonly outputDigest: string;
  readonly durationMs: number;
  /** Null: its output was kept nowhere else. */
  readonly log: string | null;
}

/** Its process vanished, or it was killed by Tutti or a person: neither is a result of the command. */
export type NoEnd = 'lost' | 'killed';

/** Why a command did not pass. `unavailable`: it could not be run, which says nothing about any work. */
export type CommandProblem = 'exit' | 'signal' | 'timeout' | 'unavailable';

export interface CommandVerdict {
  /** Null: it passed. */
  readonly problem: CommandProblem | null;
  /** How it ended, to be read after its name: `ended with exit code 1 after 0.3s`. */
  readonly words: string;
}

/**
 * Whether a command passed, and how that is said. The one place that decides it, for steps and gates of flows, acceptance
 * criteria of tasks, commands on a plan's base and the setup of workspaces.
 */
export function judgeCommand(
  end: Pick<CommandEnd, 'exitCode' | 'signal' | 'timedOut' | 'durationMs' | 'outputTail'>,
): CommandVerdict {
  const { exitCode, signal, timedOut, outputTail } = end;
  const after = `after ${formatDuration(end.durationMs)}`;
  if (timedOut) return { problem: 'timeout', words: `timed out ${after} and was killed` };
  if (signal !== null) return { problem: 'signal', words: `was killed by ${signal} ${after}` };
  if (exitCode === null) return { problem: 'signal', words: `was killed ${after}` };
  if (exitCode === 0) return { problem: null, words: `passed ${after}` };
  if (cannotRun(exitCode)) return { problem: 'unavailable', words: describeNotRun(exitCode, outputTail) };
  return { problem: 'exit', words: `ended with exit code ${exitCode} ${after}` };
}

/** The shell's own codes for a program that is missing or may not be executed: they say nothing about any work. */
export function cannotRun(exitCode: number | null): exitCode is 126 | 127 {
  return exitCode === 126 || exitCode === 127;
}

/** Words about a command that could not be run, to be read after its name. */
export function describeNotRun(exitCode: number, output: string): string {
  const program = namedByShell(output);
  const why = program === null ? '' : `: ${program} is missing or not executable`;
  return `cannot be run${why} (exit code ${exitCode})`;
}

/** The program that kept a command from running, as the shell named it last; else the first word of the command. */
export function programNotRun(command: string, output: string): string {
  return namedByShell(output) ?? command.trim().replace(/\s.*$/s, '');
}

/** Words of shells and `env` for a program that they could not run, after its name. */
const shellComplaint =
  /([^\s:'"‘’]{1,200})['"’]?: (?:command not found|not found|Permission denied|No such file or directory)\s*$/gm;

function namedByShell(output: string): string | null {
  return [...output.matchAll(shellComplaint)].at(-1)?.[1] ?? null;
}
