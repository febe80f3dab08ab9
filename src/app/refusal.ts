import { errorCode } from '../lib/error-code.ts';
import { MachineTrouble } from '../lib/machine-trouble.ts';
import type { BadOutcome } from '../model/outcome.ts';
import { StoreUnavailable } from '../model/ports/store-unavailable.ts';
import { problemSentence, type Problem } from '../model/schemas/problem.ts';

/** Why a command could not do what it was asked: one sentence, a next command, an exit code. Nothing was changed. */
export interface Refusal {
  readonly outcome: BadOutcome;
  readonly message: string;
  /** What to run next. */
  readonly hint: string;
  /** The lines of the file to fix, if one is to blame. */
  readonly detail?: string;
}

export function refusal(outcome: BadOutcome, message: string, hint: string): Refusal {
  return { outcome, message, hint };
}

/** How many mistakes of the configuration are shown. */
export const shownMistakes = 5;

/** `shown`: at most so many are listed; the rest is counted. */
export function refusalOfProblems(
  problems: readonly Problem[],
  hint: string,
  shown = problems.length,
): Refusal {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const message = first === undefined ? 'the file is not valid' : `${problemSentence(first)}${more}`;
  const frames = problems.flatMap(({ frame }) => frame ?? []);
  const rest = problems.slice(1, shown).map(problemSentence);
  const untold = problems.length > shown ? [`and ${problems.length - shown} more`] : [];
  const detail = [...frames.slice(0, 1), ...rest, ...untold].join('\n');
  return detail === '' ? { outcome: 'USAGE', message, hint } : { outcome: 'USAGE', message, hint, detail };
}

/** An agent in a sandbox asked for something that would be written where it may only read: nothing is broken. */
export function isHeldBySandbox(error: unknown, env: Readonly<Record<string, string | undefined>>): boolean {
  if ((env['TUTTI_SESSION_ID'] ?? '') === '') return false;
  return error instanceof StoreUnavailable ? error.isReadOnly : errorCode(error) === 'EROFS';
}

const held = refusal(
  'UNAVAILABLE',
  'this session may read the project and not write it: a sandbox holds it',
  'continue without this command; Tutti checks the work itself',
);

/** What the database or the machine could not do is told in its own words; anything else is a bug, and not for here. */
export function refusalOfError(
  error: unknown,
  env: Readonly<Record<string, string | undefined>>,
): Refusal | null {
  if (isHeldBySandbox(error, env)) return held;
  if (error instanceof MachineTrouble) {
    return refusal('UNAVAILABLE', error.message, error.hint);
  }
  return error instanceof StoreUnavailable ? refusal('UNAVAILABLE', error.message, error.hint) : null;
}
