import { type CommandEnd, judgeCommand } from '../command.ts';

/** How a command of the project or of the setup ended, as it is recorded. */
export interface RecordedCommandEnd {
  /** Null: it was killed, by Tutti where it timed out. */
  readonly exitCode: number | null;
  /** Absent: it did not time out, or an earlier release ran it. */
  readonly timedOut?: true;
}

/** How one command ended on a commit that no task has changed. */
export interface OnCommit extends RecordedCommandEnd {
  readonly command: string;
  readonly passed: boolean;
  /** The end of what it printed. */
  readonly output: string;
  readonly durationMs: number;
  /** Where all that it printed is. Absent: nowhere, or an earlier release. */
  readonly log?: string;
}

/** What the tasks of a plan begin with. */
export interface BaseFacts {
  readonly commit: string;
  /** Names its content: the same files in another commit are the same base. */
  readonly tree: string;
  /** Commands that prepare it, for people. */
  readonly setup: readonly string[];
  /**
   * The commands that would install what no lock file names; as a text, one that an earlier release recorded. Absent: there is
   * nothing to install by them, or setup is configured.
   */
  readonly unlocked?: string | readonly (readonly string[])[];
}

/** What ran on a plan's base before anything was paid for. */
export interface BaseRun {
  /** Setup first; when it fails, nothing else runs. */
  readonly ends: readonly OnCommit[];
}

/** What a plan knows about its base, and what a person said about it. */
export interface BaseCheck {
  readonly commit: string;
  /** Commands that fail there, and that no task must pass. */
  readonly without: readonly string[];
}

/** Null: it has no result. */
export function endOnCommit(end: Pick<CommandEnd, 'exitCode' | 'timedOut'> | null): RecordedCommandEnd {
  if (end === null) return { exitCode: null };
  return end.timedOut ? { exitCode: null, timedOut: true } : { exitCode: end.exitCode };
}

/** What a question and an event say of a command: neither depends on where its log is. */
export function withoutLog({ log: _log, ...end }: OnCommit): Omit<OnCommit, 'log'> {
  return end;
}

/** A command and how it ended, for people. */
export function describeEnd(end: Omit<OnCommit, 'output'> & Partial<Pick<OnCommit, 'output'>>): string {
  const { command, exitCode, durationMs, timedOut = false, output: outputTail = '' } = end;
  return `\`${command}\` ${judgeCommand({ exitCode, signal: null, timedOut, durationMs, outputTail }).words}`;
}
