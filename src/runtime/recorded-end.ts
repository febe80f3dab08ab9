import type { Ending, ProcessEnd } from '../model/driver.ts';

/** Why there was nothing to run. */
type StartProblem = (typeof problems)[number];

/** Of what an `ending` file says; anything else counts as `killed`. */
export const endings: readonly Ending[] = ['timeout', 'killed', 'quota'];

const problems = ['no-program', 'no-directory', 'not-started'] as const;

/** What a launcher records about the end, and nobody changes afterwards. */
export interface RecordedEnd extends ProcessEnd {
  readonly problem: StartProblem | null;
  /** In words, when there are any: why it was ended, or what the system said. */
  readonly reason: string | null;
}

const form = /^exit (-|\d{1,3}) (-|\?|SIG[A-Z0-9]+) (-|timeout|killed|quota) (-|[a-z-]+) (.*) \.\n$/;

/** `exit <code> <signal> <ended> <problem> <reason> .` with `-` for none. Null: torn, or not written by a launcher. */
export function parseEnd(text: string): RecordedEnd | null {
  const [, code, signal, ended, problem, reason] = form.exec(text) ?? [];
  if (code === undefined || signal === undefined) return null;
  return {
    ...(signal === '?' ? fromShell(Number(code)) : { exitCode: number(code), signal: word(signal) }),
    ended: endings.find((known) => known === ended) ?? null,
    problem: problems.find((known) => known === problem) ?? null,
    reason: word(reason ?? '-'),
  };
}

export function formatEnd(end: RecordedEnd): string {
  const reason = end.reason?.replaceAll(/\s+/g, ' ').trim();
  return `exit ${end.exitCode ?? '-'} ${end.signal ?? '-'} ${end.ended ?? '-'} ${end.problem ?? '-'} ${reason || '-'} .\n`;
}

/** Ended on purpose, and its launcher could not record how. */
export function endedSilently(ended: Ending, reason: string): RecordedEnd {
  return { exitCode: null, signal: null, ended, problem: null, reason: reason === '' ? null : reason };
}

export function notStarted(reason: string): RecordedEnd {
  return { exitCode: 126, signal: null, ended: null, problem: 'not-started', reason };
}

/**
 * A shell reports "ended by signal n" and "exited with 128 + n" alike. Only signals that end programs in practice are
 * read as such: `git` for one exits with 129 to say "usage", which is no hang-up.
 */
const shellSignals: Readonly<Record<number, string>> = {
  130: 'SIGINT',
  131: 'SIGQUIT',
  132: 'SIGILL',
  133: 'SIGTRAP',
  134: 'SIGABRT',
  135: 'SIGBUS',
  136: 'SIGFPE',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  141: 'SIGPIPE',
  143: 'SIGTERM',
  152: 'SIGXCPU',
  153: 'SIGXFSZ',
  159: 'SIGSYS',
};

function fromShell(code: number): { exitCode: number | null; signal: string | null } {
  const signal = shellSignals[code];
  return signal === undefined ? { exitCode: code, signal: null } : { exitCode: null, signal };
}

function number(text: string): number | null {
  return text === '-' ? null : Number(text);
}

function word(text: string): string | null {
  return text === '-' ? null : text;
}
