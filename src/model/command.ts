import { failure, type Failure } from './failure.ts';

/** The shell's own codes for a program that is missing or may not be executed: they say nothing about any work. */
export function cannotRun(exitCode: number | null): boolean {
  return exitCode === 126 || exitCode === 127;
}

/** Words of shells and `env` for a program that they could not run, after its name. */
const shellComplaint =
  /([^\s:'"‘’]{1,200})['"’]?: (?:command not found|not found|Permission denied|No such file or directory)\s*$/gm;

/** The program that kept a command from running, as the shell named it last; else the first word of the command. */
export function programNotRun(command: string, output: string): string {
  const named = [...output.matchAll(shellComplaint)].at(-1)?.[1];
  return named ?? command.trim().replace(/\s.*$/s, '');
}

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
  readonly log: string;
}

export function failureOfCommand(argv: readonly string[], end: CommandEnd): Failure | null {
  if (end.exitCode === 0 && end.signal === null && !end.timedOut) return null;
  const name = argv.join(' ').slice(0, 120);
  const evidence = { output: end.outputTail, log: end.log };
  if (end.timedOut) {
    return failure(
      'timeout',
      `'${name}' ran into its deadline after ${Math.round(end.durationMs / 1000)} s`,
      {
        evidence,
      },
    );
  }
  if (end.signal !== null) return failure('signal', `'${name}' was ended by ${end.signal}`, { evidence });
  if (end.exitCode === 127) {
    return failure('unavailable', `'${argv[0] ?? ''}' could not be started: ${end.lastLine}`, { evidence });
  }
  return failure('exit', `'${name}' ended with code ${end.exitCode ?? 'unknown'}`, { evidence });
}
