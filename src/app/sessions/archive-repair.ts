import { readdirSync, rmSync } from 'node:fs';
import { isSafeId } from '../../lib/ids.ts';
import { isTerminal } from '../../model/session.ts';
import type { Tutti } from '../tutti.ts';
import { archiveFolder } from './archive-folder.ts';
import { isCopyOf, kindOf, removeCopied, unfinishedOf } from './archive-move.ts';

/**
 * Finishes what a crash left half done: a session whose folder is in the archive is marked so, and what was copied there is
 * removed from where it was. Returns the ids.
 */
export async function repairArchive(tutti: Tutti): Promise<readonly string[]> {
  const { paths, queries, store } = tutti;
  const repaired: string[] = [];
  for (const id of namesIn(archiveFolder(paths)).filter(isSafeId)) {
    const session = await queries.sessions.one(id);
    if (session === null || session.prunedAt !== null || !isTerminal(session.status)) continue;
    const [source, target] = [paths.session(id), paths.archived(id)];
    if (kindOf(target) !== 'folder' || !isSpare(source, target)) continue;
    const marked = session.archivedAt === null && (await store.markArchived(id));
    const removed = removeCopied(source, target);
    rmSync(unfinishedOf(target), { recursive: true, force: true });
    if (marked || removed) repaired.push(id);
  }
  return repaired;
}

/** Nothing is lost without it. */
function isSpare(source: string, target: string): boolean {
  const here = kindOf(source);
  return here === 'none' || (here === 'folder' && isCopyOf(source, target));
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
