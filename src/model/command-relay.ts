import { isObject } from '../lib/json.ts';
import { err, ok, type Result } from '../lib/result.ts';

/**
 * The channel of a sandboxed agent: how a `tutti` command inside asks the relay outside to carry it out. Here stands what both
 * sides agree on. Whatever is in a request was written by an agent.
 */
export type RelayRequest = RelayedCommand | RelayedSignal;

export interface RelayedCommand {
  readonly kind: 'command';
  /** The session that asks. The relay carries out nothing for any session but its own. */
  readonly session: string;
  /** What follows `tutti`. */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Standard input to its end; null: the command reads none. */
  readonly stdin: string | null;
}

/** Ctrl-C or `kill` for a command that was handed over. */
interface RelayedSignal {
  readonly kind: 'signal';
  readonly session: string;
  /** Id of the request. */
  readonly of: string;
  readonly signal: RelaySignal;
}

const signals = ['SIGINT', 'SIGTERM'] as const;
type RelaySignal = (typeof signals)[number];

/** What the relay says at the end, beside the output. */
export type RelayAnswer = { readonly exitCode: number } | { readonly refused: string };

/** Tells a program inside a sandbox where answers are; a process without it is not inside. */
export const answersVariable = 'TUTTI_ANSWERS';
/** Tells a command that it is carried out for a sandboxed agent, and which places that agent may name. */
export const confinedVariable = 'TUTTI_CONFINED';
/** In the folder of the session. */
export const requestsFolder = 'requests';

/** Variables that a command obeys and that say nothing about who calls. All others are those of the session. */
export const relayedVariables = [
  'TUTTI_PLAN_DIR',
  'TUTTI_DEBUG',
  'NO_COLOR',
  'FORCE_COLOR',
  'LANG',
  'LC_ALL',
  'TZ',
] as const;

export const relayLimits = {
  requestBytes: 8 * 1024 * 1024,
  /** Of each stream of a command; the rest is dropped. */
  outputBytes: 4 * 1024 * 1024,
  words: 2000,
  /** Commands of one session that are carried out at once. Some wait for other sessions, and others must come through. */
  running: 16,
  /** Commands that wait for one of those. */
  waiting: 64,
  /** Requests of one session, all in all. */
  requests: 100_000,
  /** Finished answers that are kept for callers that have not read them yet. */
  keptAnswers: 256,
  keptBytes: 32 * 1024 * 1024,
} as const;

const id = /^[0-9a-f]{32}$/;
const suffix = '.json';

/** Null: no file of this name is a request. */
export function requestId(fileName: string): string | null {
  const stem = fileName.endsWith(suffix) ? fileName.slice(0, -suffix.length) : '';
  return id.test(stem) ? stem : null;
}

export function requestFile(request: string): string {
  return `${request}${suffix}`;
}

/** Files of an answer: the two streams while the command runs, and how it ended. `out` is there as soon as it was taken. */
export function answerFiles(request: string): {
  readonly out: string;
  readonly err: string;
  readonly end: string;
} {
  return { out: `${request}.out`, err: `${request}.err`, end: `${request}${suffix}` };
}

/** The request, or why it is refused. */
export function checkRequest(value: unknown, own: string): Result<RelayRequest, string> {
  if (!isObject(value)) return err('this is not a request');
  const { kind, session } = value;
  if (session !== own) {
    const other = typeof session === 'string' && session !== '' ? session.slice(0, 128) : 'no session';
    return err(`this is session ${own}, and cannot act as ${other}`);
  }
  if (kind === 'command') return checkCommand(value, own);
  const { of, signal } = value;
  const known = signals.find((each) => each === signal);
  if (kind !== 'signal' || typeof of !== 'string' || known === undefined) return err('this is not a request');
  return ok({ kind: 'signal', session: own, of, signal: known });
}

function checkCommand(
  { argv, cwd, env, stdin }: Readonly<Record<string, unknown>>,
  session: string,
): Result<RelayRequest, string> {
  if (!isWords(argv) || argv.length > relayLimits.words) return err('its arguments are not a list of words');
  if (typeof cwd !== 'string' || !cwd.startsWith('/') || cwd.includes('\0')) return err('it names no folder');
  if (stdin !== null && typeof stdin !== 'string') return err('its standard input is no text');
  if (!isVariables(env)) return err('its variables are no texts');
  const known: readonly string[] = relayedVariables;
  const foreign = Object.keys(env).find((name) => !known.includes(name));
  if (foreign !== undefined) return err(`it may not set the variable ${foreign.slice(0, 80)}`);
  return ok({ kind: 'command', session, argv, cwd, env, stdin });
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isWord);
}

function isVariables(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every(isWord);
}

/** The system takes no NUL in arguments and variables. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

export function checkAnswer(value: unknown): RelayAnswer | null {
  if (!isObject(value)) return null;
  const { exitCode, refused } = value;
  if (typeof refused === 'string') return { refused };
  return typeof exitCode === 'number' ? { exitCode } : null;
}

/** What a command that is carried out for a sandboxed agent is told about that agent. */
export interface Confinement {
  /** The only project that it may touch. */
  readonly project: string;
  /** Files and folders that its arguments may name lie here. */
  readonly places: readonly string[];
}

export function checkConfinement(value: unknown): Confinement | null {
  if (!isObject(value)) return null;
  const { project, places } = value;
  return typeof project === 'string' && isWords(places) ? { project, places } : null;
}
