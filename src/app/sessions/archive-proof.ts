import { recorded } from '../../lib/json.ts';
import { isOver } from '../../model/run.ts';
import type { SessionInput } from '../../model/session-input.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import { livingAttempts } from '../../runtime/living-attempts.ts';
import { markOf } from '../host/attempt-folder.ts';
import type { Tutti } from '../tutti.ts';
import { familyOf } from '../../model/family.ts';

/** What holds for all sessions that are asked about in one go: looked up once. */
export interface ArchiveFacts {
  /** By its mark: has it living processes? */
  readonly lives: (mark: string) => boolean;
  /** Sessions that somebody still needs, and who. */
  readonly needed: ReadonlyMap<string, string>;
}

export async function archiveFacts(tutti: Pick<Tutti, 'queries'>): Promise<ArchiveFacts> {
  return { lives: livingAttempts(), needed: await neededBy(tutti) };
}

async function neededBy({ queries }: Pick<Tutti, 'queries'>): Promise<ReadonlyMap<string, string>> {
  const needed = new Map<string, string>();
  for (const { id, runId, continues } of await queries.sessions.live()) {
    if (continues !== null) needed.set(continues, `session ${id} continues its conversation`);
    const run = await queries.run(runId);
    if (run === null || !familyOf(run).isSession) continue;
    const { after } = recorded<SessionInput>(await queries.input(runId));
    for (const other of after) needed.set(other, `session ${id} waits for it`);
  }
  return needed;
}

/** Null: there is nothing to lose. Otherwise the end of a sentence that begins with the session's name. */
export async function whyNotArchived(
  tutti: Pick<Tutti, 'queries' | 'paths'>,
  session: Session,
  { lives, needed }: ArchiveFacts,
): Promise<string | null> {
  if (session.prunedAt !== null) return 'was pruned';
  if (session.archivedAt !== null) return 'is archived already';
  if (!isTerminal(session.status)) return `has not ended (status: ${session.status})`;
  if (session.outcome === null) return 'has no recorded outcome';
  if (!(await isRecorded(tutti, session))) return `is not recorded in its run ${session.runId} yet`;
  if (lives(markOf(tutti, session))) return 'still has living processes';
  const why = needed.get(session.id);
  return why === undefined ? null : `is still needed: ${why}`;
}

/**
 * Its run is over; or, inside a larger run, what it was asked for has its result, or is with a later attempt. A session of
 * its own may be tried again as long as its run goes on.
 */
async function isRecorded({ queries }: Pick<Tutti, 'queries'>, session: Session): Promise<boolean> {
  const run = await queries.run(session.runId);
  if (run === null || isOver(run.state)) return true;
  if (familyOf(run).isSession) return false;
  const entry = await queries.entry(session.runId, session.key);
  if (entry === null || entry.attempt > session.attempt) return entry !== null;
  return entry.endedAt !== null;
}
