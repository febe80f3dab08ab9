const dayMs = 86_400_000;

/** `2025-W47`: the ISO week of an instant, in UTC. A week belongs to the year that its Thursday is in. */
export function isoWeek(at: number): string {
  const day = Math.floor(at / dayMs);
  // 1970 began with a Thursday.
  const thursday = day - ((((day + 3) % 7) + 7) % 7) + 3;
  const year = new Date(thursday * dayMs).getUTCFullYear();
  const week = Math.floor((thursday - Date.UTC(year, 0, 1) / dayMs) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}
