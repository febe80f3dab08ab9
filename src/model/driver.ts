import type { StopReason } from './turn.ts';
import type { SessionSpec } from './turn.ts';
import type { Usage } from './usage.ts';

/** What a driver needs to know about where the turn will run. */
export interface TurnPlace {
  readonly sessionId: string;
  readonly sessionDir: string;
  readonly projectDir: string;
}

/** What to run. The runtime runs it: a driver spawns nothing. */
export interface LaunchPlan {
  readonly argv: readonly [string, ...string[]];
  /** Added to the allow-listed environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Bytes for the agent's standard input. */
  readonly stdin: string;
  /** `shell`: one-shot, files only. `host`: a small process that outlives Tutti holds the pipes. */
  readonly launcher: 'shell' | 'host';
}

/** One vocabulary for what all agents do while they work. */
export type DriverEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly name: string; readonly target: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'waiting'; readonly why: string }
  | { readonly type: 'limit'; readonly resetAt: number | null }
  | { readonly type: 'problem'; readonly message: string };

/** How a process ended, as its launcher recorded it. */
export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why the launcher or a person ended it, if so. */
  readonly ended: 'timeout' | 'killed' | null;
}

/** Reads a session's log from byte 0; pure, so that reading it again gives the same. */
export interface DriverReader {
  line(line: string): readonly DriverEvent[];
  /** `success` only when every success condition of that CLI holds. */
  stop(end: ProcessEnd): StopReason;
}

export interface AgentDriver {
  readonly name: string;
  /** Null: ready. Otherwise one sentence with the install command. */
  missing(): string | null;
  plan(spec: SessionSpec, place: TurnPlace): LaunchPlan;
  reader(): DriverReader;
}
