/**
 * An instant as people read it, to the second and in UTC, like the time in a session's id: `2026-11-18 19:20:05 UTC`. Without
 * the date where it is on the day of `from`. A CLI may name any number as a time.
 */
export function formatInstant(at: number, from: number | null = null): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  const text = date.toISOString().slice(0, -5).replace('T', ' ');
  const sameDay = from !== null && Math.floor(from / dayMs) === Math.floor(at / dayMs);
  return `${sameDay ? text.slice(-8) : text} UTC`;
}

const dayMs = 86_400_000;
