import type { MetLimit } from '../../model/limit-pause.ts';

/** What the CLI says when the model will not answer for now, for any caller. */
const limits = [/\bstatus:? 429\b/, /\busage limit\b/i, /\brate limit\b/i, /\bquota exceeded\b/i];
/** The same for everybody: nothing is used up. */
const overload = /\bstatus:? (?:503|529)\b|\bat capacity\b|\boverloaded\b/i;

const minuteMs = 60_000;
const dayMs = 86_400_000;
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const clock = String.raw`(\d{1,2}):(\d{2}) (AM|PM)`;
const dated = new RegExp(
  String.raw`try again at ([A-Za-z]{3})[a-z]* (\d{1,2})(?:st|nd|rd|th)?, (\d{4}) ${clock}`,
  'i',
);
const timed = new RegExp(`try again at ${clock}`, 'i');

/** Null: no limit. `since`: when the conversation began, for a time of day that comes without its day. */
export function limitOf(message: string, since: number | null): MetLimit | null {
  const resetAt = resetIn(message, since);
  if (limits.some((limit) => limit.test(message))) return { resetAt };
  return overload.test(message) ? { resetAt, kind: 'overload' } : null;
}

/** It is told in the local time of this machine, cut to the minute: the end of that minute is meant. */
function resetIn(message: string, since: number | null): number | null {
  const [, month = '', day, year, ...time] = dated.exec(message) ?? [];
  if (day !== undefined) {
    const at = months.indexOf(month.toLowerCase());
    return at < 0 ? null : new Date(Number(year), at, Number(day), ...hourOf(time)).getTime() + minuteMs;
  }
  const [, ...alone] = timed.exec(message) ?? [];
  if (alone.length === 0 || since === null) return null;
  const start = new Date(since);
  const today = new Date(start.getFullYear(), start.getMonth(), start.getDate(), ...hourOf(alone));
  const end = today.getTime() + minuteMs;
  return end > since ? end : end + dayMs;
}

function hourOf([hour, minute, half = '']: readonly string[]): [number, number] {
  return [(Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0), Number(minute)];
}

/** The CLI names conversations by a UUID that begins with the time; null for any other name. */
export function beginOf(conversation: string): number | null {
  const [, head, tail] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(conversation) ?? [];
  return head === undefined ? null : Number.parseInt(`${head}${tail}`, 16);
}
