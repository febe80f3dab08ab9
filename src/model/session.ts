import type { Outcome } from './outcome.ts';
import type { SessionHost, Tier } from './turn.ts';
import type { Usage } from './usage.ts';

/** The life of one agent process (seed C). Terminal states are final. */
export type SessionStatus = 'CREATED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'KILLED';

export const sessionStatuses: readonly SessionStatus[] = [
  'CREATED',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'KILLED',
];

export function isTerminal(status: SessionStatus): boolean {
  return status !== 'CREATED' && status !== 'RUNNING';
}

/** The row the store keeps; `state.json` is a view of it. */
export interface Session {
  readonly id: string;
  readonly runId: string;
  readonly key: string;
  readonly attempt: number;
  readonly agent: string;
  readonly driver: string;
  readonly tier: Tier;
  readonly status: SessionStatus;
  readonly depth: number;
  readonly turn: number;
  /** The session whose conversation this one goes on with. */
  readonly continues: string | null;
  readonly host: SessionHost;
  readonly parent: string | null;
  readonly requester: string;
  readonly tags: readonly string[];
  readonly createdAt: number;
  /** When its process was seen to run. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly exitCode: number | null;
  readonly outcome: Outcome | null;
  /** Whether its process vanished without a word about its end; its status is then FAILED. */
  readonly lost: boolean;
  readonly usage: Usage | null;
  /** What the configuration named for its tier when its end was recorded; null: that was left to the CLI. */
  readonly model: string | null;
  /** When its folder was moved to the archive, and when it was removed from there. */
  readonly archivedAt: number | null;
  readonly prunedAt: number | null;
}

/** How a session's process ended, told with the completion of its attempt. */
export interface SessionEnd {
  readonly status: Extract<SessionStatus, 'COMPLETED' | 'FAILED' | 'KILLED'>;
  readonly exitCode: number | null;
  readonly outcome: Outcome;
  readonly usage: Usage;
  readonly model?: string | null;
  /** When its launcher recorded the start: whoever saw the session begin saw it later. */
  readonly startedAt?: number;
  /** When its launcher recorded the end. Absent: it did not, and the end is when it was noticed. */
  readonly endedAt?: number;
}
