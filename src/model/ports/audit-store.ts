import type { AuditEvent, FeedEvent } from '../event.ts';

/** What only the audit knows, and what keeps its size. */
export interface AuditStore {
  /** Of no run: a refusal that left none. */
  note(runId: string | null, event: AuditEvent): Promise<void>;
  /** False: the same was noted since then, of the same session and by the same one. Of two that look at once, one notes it. */
  noteOnce(runId: string | null, event: AuditEvent, since: number): Promise<boolean>;
  /** Events that the audit has not seen, each returned once, to the first caller. */
  takeAudit(limit: number): Promise<readonly FeedEvent[]>;
  /** All of them, once more. */
  retakeAudit(): Promise<readonly FeedEvent[]>;
  /** False: the session has not ended, or was archived before. */
  markArchived(sessionId: string): Promise<boolean>;
  /** False: the session is not in the archive, or was pruned before. */
  markPruned(sessionId: string): Promise<boolean>;
  /** Removes the feeds of runs that ended before this instant. Returns how many events those were. */
  pruneEvents(endedBefore: number): Promise<number>;
}
