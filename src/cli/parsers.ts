import { parseDurationMs } from '../lib/duration.ts';

/** A whole number within bounds; what is thrown ends a sentence that begins with the option's name. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= least && value <= most) return value;
    throw new Error(`must be a whole number from ${least} to ${most}, not '${text}'`);
  };
}

const longestMs = 3650 * 86_400_000;

/** `90s`, `10m`, `1h30m`; a bare number is seconds. Becomes milliseconds. */
export function duration(text: string): number {
  const ms = parseDurationMs(text);
  if (ms !== null && ms >= 1 && ms <= longestMs) return ms;
  throw new Error(`must be a duration such as 90s, 10m or 1h30m, not '${text}'`);
}

export function oneOf<const T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}, not '${text}'`);
    return found;
  };
}

/** Money: `0.21`, not `1e9` and nothing negative. */
export function amount(text: string): number {
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text);
  throw new Error(`must be an amount such as 0.21, not '${text}'`);
}
