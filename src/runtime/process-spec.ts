import type { ResourceLimits } from '../model/limits.ts';
import type { SessionStateFile } from './session-state.ts';

/** A process to run, in full: the launcher adds nothing and looks nothing up. */
export interface ProcessSpec {
  /** The attempt's own place (see `fileOf`); its folder exists, and is for its owner only. One process is started, ever. */
  readonly dir: string;
  /** The attempt's id, without blanks. Every process of the attempt carries it as `TUTTI_ATTEMPT_ID`. */
  readonly marker: string;
  readonly argv: readonly [string, ...string[]];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Null is an empty input. */
  readonly stdinFile: string | null;
  /** Takes standard output and error as they come. */
  readonly logFile: string;
  readonly timeoutMs: number | null;
  readonly launcher: 'shell' | 'host';
  /** Null for small commands, which have none. */
  readonly limits: ResourceLimits | null;
  /** For sessions: the launcher keeps `state.json` by itself. */
  readonly session: SessionStateFile | null;
}

export const markerVariable = 'TUTTI_ATTEMPT_ID';
