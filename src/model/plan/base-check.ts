import { cannotRun } from '../command.ts';

/** How one command ended on a commit that no task has changed. */
export interface OnCommit {
  readonly command: string;
  readonly passed: boolean;
  /** Null: it was ended, or did not end in time. */
  readonly exitCode: number | null;
  /** The end of what it printed. */
  readonly output: string;
  readonly durationMs: number;
}

/** What the tasks of a plan begin with. */
export interface BaseFacts {
  readonly commit: string;
  /** Names its content: the same files in another commit are the same base. */
  readonly tree: string;
  /** Commands that prepare it, for people. */
  readonly setup: readonly string[];
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

/** A command and how it ended, for people. */
export function describeEnd({ command, passed, exitCode }: Omit<OnCommit, 'output' | 'durationMs'>): string {
  if (passed) return `\`${command}\` passed`;
  if (exitCode === null) return `\`${command}\` was ended before it finished`;
  return cannotRun(exitCode)
    ? `\`${command}\` cannot be run (exit code ${exitCode})`
    : `\`${command}\` failed (exit code ${exitCode})`;
}
