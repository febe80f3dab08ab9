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

export function isLimitPause(step: string): boolean {
  return limitedTurn(step) !== null;
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

/** How long to wait before the limit is tried again, for the n-th time from 1. */
export function limitPauseMs(resetAt: number | null, now: number, pauses: number): number {
  const fallback = Number(backoffMs[Math.min(pauses, backoffMs.length) - 1]);
  if (resetAt === null || resetAt - now > longestMs) return fallback;
  // One that is over already and is told again is no reason to hammer.
  if (resetAt <= now) return pauses === 1 ? leastMs : fallback;
  return resetAt - now + graceMs;
}
