import { rmSync } from 'node:fs';
import { isSafeId } from '../../lib/ids.ts';
import { ok, type Result } from '../../lib/result.ts';
import type { Session } from '../../model/session.ts';
import { anySession } from '../../model/ports/session-queries.ts';
import type { Refusal } from '../refusal.ts';
import type { Tutti } from '../tutti.ts';
import type { Refused } from './archive.ts';
import { kindOf } from './archive-move.ts';
import { archiveFolder, ensureArchive } from './archive-folder.ts';
import { namesIn } from './archive-repair.ts';

export interface PruneRequest {
  /** May only be longer than what the configuration keeps; null: as long as that. */
  readonly olderThanMs: number | null;
  /** Only say what would go. */
  readonly dryRun: boolean;
}

export interface Pruned {
  /** How long ago they must have ended. */
  readonly keepMs: number;
  readonly pruned: readonly string[];
  readonly refused: readonly Refused[];
}

/** Removes archived sessions for good. Their rows stay: what was done is never forgotten. */
export async function pruneSessions(
  tutti: Tutti,
  { olderThanMs, dryRun }: PruneRequest,
): Promise<Result<Pruned, Refusal>> {
  const place = ensureArchive(tutti.paths);
  if (!place.ok) return place;
  const keepMs = Math.max(tutti.config.archiveKeepMs, olderThanMs ?? 0);
  const before = tutti.clock.wall() - keepMs;
  const pruned: string[] = [];
  const refused: Refused[] = [];
  for (const session of await prunable(tutti, before)) {
    const why = dryRun ? whyNot(tutti, session) : await pruneOne(tutti, session);
    if (why === null) pruned.push(session.id);
    else refused.push({ id: session.id, why });
  }
  return ok({ keepMs, pruned, refused });
}

/** Those whose time is over, and those that an earlier prune was interrupted at. */
async function prunable({ queries, paths }: Tutti, before: number): Promise<readonly Session[]> {
  const archived = await queries.sessions.list(
    { ...anySession, archived: true },
    { limit: null, before: null },
  );
  const left = new Set(namesIn(archiveFolder(paths)).filter(isSafeId));
  return archived.filter(({ id, endedAt, prunedAt }) =>
    prunedAt === null ? endedAt !== null && endedAt < before : left.has(id),
  );
}

async function pruneOne(tutti: Tutti, session: Session): Promise<string | null> {
  const why = whyNot(tutti, session);
  if (why !== null) return why;
  // First the mark: what is being removed is never taken for what is there.
  await tutti.store.markPruned(session.id);
  try {
    // Links inside are removed as links: what they lead to is nobody's here.
    rmSync(tutti.paths.archived(session.id), { recursive: true, force: true });
    return null;
  } catch (error) {
    return `could not be removed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function whyNot({ paths }: Tutti, { id }: Session): string | null {
  return kindOf(paths.archived(id)) === 'other' ? 'is no folder in the archive, or a link to one' : null;
}
