import { recorded } from '../../lib/json.ts';
import { isOver } from '../../model/run.ts';
import type { SessionInput } from '../../model/session-input.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import { livingAttempts } from '../../runtime/living-attempts.ts';
import { markOf } from '../host/place.ts';
import type { Tutti } from '../tutti.ts';
import { familyOf } from '../../model/family.ts';

/** What holds for all sessions that are asked about in one go: looked up once. */
export interface ArchiveFacts {
  /** By its mark: has it living processes? */
  readonly lives: (mark: string) => boolean;
  /** Sessions that somebody still needs, and who. */
  readonly needed: ReadonlyMap<string, string>;
}

export function archiveFacts(tutti: Pick<Tutti, 'queries'>): ArchiveFacts {
  return { lives: livingAttempts(), needed: neededBy(tutti) };
}

function neededBy({ queries }: Pick<Tutti, 'queries'>): ReadonlyMap<string, string> {
  const needed = new Map<string, string>();
  for (const { id, runId, continues } of queries.sessions.live()) {
    if (continues !== null) needed.set(continues, `session ${id} continues its conversation`);
    const run = queries.run(runId);
    if (run === null || !familyOf(run).isSession) continue;
    const { after } = recorded<SessionInput>(queries.input(runId));
    for (const other of after) needed.set(other, `session ${id} waits for it`);
  }
  return needed;
}

/** Null: there is nothing to lose. Otherwise the end of a sentence that begins with the session's name. */
export function whyNotArchived(
  tutti: Pick<Tutti, 'queries' | 'paths'>,
  session: Session,
  { lives, needed }: ArchiveFacts,
): string | null {
  if (session.prunedAt !== null) return 'was pruned';
  if (session.archivedAt !== null) return 'is archived already';
  if (!isTerminal(session.status)) return `has not ended (status: ${session.status})`;
  if (session.outcome === null) return 'has no recorded outcome';
  if (!isRecorded(tutti, session)) return `is not recorded in its run ${session.runId} yet`;
  if (lives(markOf(tutti, session))) return 'still has living processes';
  const why = needed.get(session.id);
  return why === undefined ? null : `is still needed: ${why}`;
}

/**
 * Its run is over; or, inside a larger run, what it was asked for has its result, or is with a later attempt. A session of
 * its own may be tried again as long as its run goes on.
 */
function isRecorded({ queries }: Pick<Tutti, 'queries'>, session: Session): boolean {
  const run = queries.run(session.runId);
  if (run === null || isOver(run.state)) return true;
  if (familyOf(run).isSession) return false;
  const entry = queries.entry(session.runId, session.key);
  if (entry === null || entry.attempt > session.attempt) return entry !== null;
  return entry.endedAt !== null;
}
