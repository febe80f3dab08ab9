import { isObject } from '../../../src/lib/json.ts';
import type { DriverConfig } from '../../../src/model/config.ts';
import type { ProcessEnd } from '../../../src/model/driver.ts';
import type { StopReason } from '../../../src/model/turn.ts';
import type { Usage } from '../../../src/model/usage.ts';

/** How a process ended, and what the driver must make of it. */
interface Case {
  readonly what: string;
  readonly lines: readonly string[];
  readonly end: ProcessEnd;
  readonly stop: StopReason;
}

/** One driver, with logs as its CLI wrote them. All that the promises need to know about it. */
export interface Subject {
  readonly name: string;
  readonly config: DriverConfig;
  /** A turn that went well, from its first line to its last. */
  readonly good: readonly string[];
  /** What the good turn used in all; null where nothing is told. */
  readonly usage: Usage | null;
  /** Turns that did not go well in ways that only this CLI has. */
  readonly cases: readonly Case[];
  /** Turns that met a limit, and when that is over. */
  readonly limits: readonly (Omit<Case, 'stop'> & { readonly resetAt: number | null })[];
  /** Lines of a type that nobody knows yet. */
  readonly unknown: readonly string[];
  /** The CLI's own name of the good turn's conversation; null where there is none. */
  readonly conversation: string | null;
  /** Whether the log says more about success than the exit code. */
  readonly tellsSuccess: boolean;
  /** The oracle: whether these lines, with exit code 0, can be a success at all. Simple, and apart from the driver. */
  mayFinish(lines: readonly string[]): boolean;
}

export const ended: ProcessEnd = { exitCode: 0, signal: null, ended: null };
export const failed: ProcessEnd = { ...ended, exitCode: 1 };

/** For oracles: the objects of a log, each of which begins its line, without the rest. */
export function objectsOf(lines: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  return lines.flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const value: unknown = JSON.parse(line);
      return isObject(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}
