const unitsMs = new Map<string | undefined, number>([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** `90s`, `10m`, `1h30m`, `2d`; a bare number is seconds. Null for anything else. */
export function parseDurationMs(text: string): number | null {
  if (/^\d+(\.\d+)?$/.test(text)) return wholeMs(Number(text) * 1000);
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return null;
  let totalMs = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    totalMs += Number(amount) * Number(unitsMs.get(unit));
  }
  return wholeMs(totalMs);
}

/** The shortest text that `parseDurationMs` reads as this: `30d`, `10m`, `1h30m`. */
export function writeDuration(durationMs: number): string {
  let rest = durationMs;
  let text = '';
  for (const [unit, unitMs] of [...unitsMs].toReversed()) {
    const count = Math.floor(rest / unitMs);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * unitMs;
  }
  return text === '' ? '0s' : text;
}

/** A number that no clock can reach is a mistake, not a duration. */
function wholeMs(durationMs: number): number | null {
  const whole = Math.round(durationMs);
  return Number.isSafeInteger(whole) ? whole : null;
}

/** As people read it: `0.4s`, `12s`, `3m 07s`, `2h 05m`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 9_950) return `${(Math.max(0, durationMs) / 1000).toFixed(1)}s`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${pad(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
