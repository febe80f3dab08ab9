import { formatInstant } from '../lib/instant.ts';

/** What stops a turn for now, with nothing wrong with its task. */
export interface MetLimit {
  /** When it is over, if the CLI told. */
  readonly resetAt: number | null;
  /** The servers of the model have too much to do for everybody; absent: it is a usage limit. */
  readonly kind?: LimitKind;
}

export type LimitKind = 'overload';

const overloadWords = /\b529\b|overloaded/i;
const limitWords = /\b429\b|too many requests|rate.?limit|usage limit|quota|resource.?exhausted/i;

/** The limit that an error speaks of, by its HTTP status or its words; null: none. */
export function limitIn(text: string): Pick<MetLimit, 'kind'> | null {
  if (overloadWords.test(text)) return { kind: 'overload' };
  return limitWords.test(text) ? {} : null;
}

/** A kind out of a log, which the agent can write too. */
export function limitKindOf(value: unknown): Pick<MetLimit, 'kind'> {
  return value === 'overload' ? { kind: value } : {};
}

const minuteMs = 60_000;
/** Where the CLI does not tell when the limit ends: the first pauses are short, the later ones cost nothing. */
const backoffMs = [1, 2, 5, 15, 30].map((minutes) => minutes * minuteMs);
/** The CLI and its provider round to seconds, and their clock is not ours. */
const graceMs = 2000;
const leastMs = 1000;
/** A reset that is further away than this is a mistake of whoever told it. */
const longestMs = 8 * 86_400_000;

/** Names the n-th pause of a turn. */
export function limitPauseId(step: string, pauses: number): string {
  return `${step}/limit-${pauses}`;
}

/** The turn that met the limit, by the name of the pause; null: it names no pause. */
export function limitedTurn(pause: string): string | null {
  const [, step = '', pauses = ''] = /^(.*)\/limit-(\d+)$/.exec(pause) ?? [];
  if (pauses === '') return null;
  return pauses === '1' ? step : resumedTurnId(step, Number(pauses) - 1);
}

/** Names the turn that follows the n-th pause. */
export function resumedTurnId(step: string, pauses: number): string {
  return `${step}/resume-${pauses}`;
}

/** The number of the pause that follows a turn, from 1. */
export function pausesAfter(step: string): number {
  return Number(/\/resume-(\d+)$/.exec(step)?.[1] ?? 0) + 1;
}

/**
 * What stopped a turn, in words. An end that the CLI told is a fact; `dueAt`, which Tutti chose, is only when it tries again.
 * `from`: when the turn was stopped. Both null: that is not known.
 */
export function limitText({ resetAt, kind }: MetLimit, dueAt: number | null, from: number | null): string {
  const words = kind === 'overload' ? 'model overloaded' : 'usage limit';
  const isTold = resetAt !== null && (dueAt === null || (resetAt <= dueAt && dueAt - resetAt < minuteMs));
  if (isTold) return `${words} until ${formatInstant(resetAt, from)}`;
  return dueAt === null ? words : `${words}, tries again at ${formatInstant(dueAt, from)}`;
}

/** How long to wait before the limit is tried again, for the n-th time from 1. */
export function limitPauseMs(resetAt: number | null, now: number, pauses: number): number {
  const fallback = Number(backoffMs[Math.min(pauses, backoffMs.length) - 1]);
  if (resetAt === null || resetAt - now > longestMs) return fallback;
  // One that is over already and is told again is no reason to hammer.
  if (resetAt <= now) return pauses === 1 ? leastMs : fallback;
  return resetAt - now + graceMs;
}
