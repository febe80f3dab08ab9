import type { AuditEvent, FeedEvent } from '../event.ts';

export interface AuditFilter {
  /** Not before this instant. */
  readonly since: number;
  readonly session: string | null;
  /** Of these kinds; null is all. */
  readonly types: readonly AuditEvent['type'][] | null;
}

/** The audit: what is told about sessions and decisions, over all runs, oldest first. */
export interface AuditQueries {
  /** At most `limit` events after a place: a project that has been used for years has many. */
  events(filter: AuditFilter, afterSeq: number, limit: number): Promise<readonly FeedEvent[]>;
  /** Whether a process should write the audit: there is something it has not seen, or too much to look past each time. */
  isBehind(): Promise<boolean>;
}
