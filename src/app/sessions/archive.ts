import { renameSync } from 'node:fs';
import { err, ok, type Result } from '../../lib/result.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import { anySession, type SessionFilter } from '../../model/ports/session-queries.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { redactFolder } from '../secrets/redact-folder.ts';
import type { Tutti } from '../tutti.ts';
import { kindOf, moveFolder, removeCopied } from './archive-move.ts';
import { archiveFacts, whyNotArchived, type ArchiveFacts } from './archive-proof.ts';
import { ensureArchive } from './archive-folder.ts';
import { repairArchive } from './archive-repair.ts';
import { requiredSession } from './find.ts';
import { recordEnded } from './record-ended.ts';

/** Which sessions: one, or all that match. */
export type ArchiveChoice =
  | { readonly id: string }
  | { readonly filter: SessionFilter; readonly olderThanMs: number };

export interface Refused {
  readonly id: string;
  /** The end of a sentence that begins with the session's name. */
  readonly why: string;
}

interface Stayed extends Refused {
  /** Then somebody should look; one that goes on is only too early. */
  readonly ended: boolean;
}

export interface Archived {
  readonly archived: readonly string[];
  readonly refused: readonly Stayed[];
}

/** Puts sessions that are over out of the way. What is not proven to be over stays where it is. */
export async function archiveSessions(
  tutti: Tutti,
  choice: ArchiveChoice,
  rename = renameSync,
): Promise<Result<Archived, Refusal>> {
  const place = ensureArchive(tutti.paths);
  if (!place.ok) return place;
  await recordEnded(tutti);
  const repaired = new Set(await repairArchive(tutti));
  const chosen = await chosenSessions(tutti, choice);
  if (!chosen.ok) return chosen;
  const facts = await archiveFacts(tutti);
  const archived: string[] = [];
  const refused: Stayed[] = [];
  for (const session of chosen.value) {
    const why = repaired.has(session.id) ? null : await archiveOne(tutti, session, facts, rename);
    if (why === null) archived.push(session.id);
    else refused.push({ id: session.id, why, ended: isTerminal(session.status) });
  }
  const [first] = refused;
  if ('id' in choice && first !== undefined) {
    const hint = `look at it: tutti session status ${first.id}`;
    return err(refusal('FAILURE', `session ${first.id} ${first.why}`, hint));
  }
  return ok({ archived, refused });
}

async function chosenSessions(
  tutti: Tutti,
  choice: ArchiveChoice,
): Promise<Result<readonly Session[], Refusal>> {
  if ('id' in choice) {
    const found = await requiredSession(tutti, choice.id);
    return found.ok ? ok([found.value]) : found;
  }
  const before = tutti.clock.wall() - choice.olderThanMs;
  const all = await tutti.queries.sessions.list(
    { ...anySession, ...choice.filter, archived: false },
    { limit: null, before: null },
  );
  return ok(all.filter(({ endedAt, createdAt }) => (endedAt ?? createdAt) <= before));
}

/** Null: it is in the archive. */
async function archiveOne(
  tutti: Tutti,
  session: Session,
  facts: ArchiveFacts,
  rename: typeof renameSync,
): Promise<string | null> {
  const why = await whyNotArchived(tutti, session, facts);
  if (why !== null) return why;
  const source = tutti.paths.session(session.id);
  const target = tutti.paths.archived(session.id);
  try {
    // Before the move: what is in the archive was redacted, whenever the power failed.
    if (kindOf(source) === 'folder') redactFolder(source, tutti.redactor);
    const moved = move(session, source, target, rename);
    if (moved !== 'moved' && moved !== 'source-left') return moved;
    // After the move: whoever finds it only in the archive knows that this was all that was missing.
    await tutti.store.markArchived(session.id);
    if (moved === 'source-left') removeCopied(source, target);
    return null;
  } catch (error) {
    return `could not be moved: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A folder that holds something is never replaced, whoever else is moving it: the system sees to that. */
function move(session: Session, source: string, target: string, rename: typeof renameSync): string {
  const here = kindOf(source);
  if (here === 'other') return 'has no folder, but something else under its name';
  if (kindOf(target) !== 'none') return `would take the place of ${target}, which is there already`;
  if (here === 'folder') return moveFolder(source, target, rename);
  return session.startedAt === null ? 'moved' : `has lost its folder ${source}`;
}
