import { filterAsync } from '../../lib/async-list.ts';
import { join } from 'node:path';
import { anySession } from '../../model/ports/session-queries.ts';
import type { Tutti } from '../tutti.ts';
import { namesIn } from '../sessions/archive-repair.ts';

/** What does not fit together. It is told and never touched: somebody may want to know why. */
export interface Leftovers {
  /** Folders below `.tutti/sessions` that belong to no session. */
  readonly folders: readonly string[];
  /** Sessions that ran, and whose folder is gone. */
  readonly missing: readonly string[];
}

export async function leftoversOf({ queries, paths }: Pick<Tutti, 'queries' | 'paths'>): Promise<Leftovers> {
  const all = { limit: null, before: null } as const;
  const here = new Set(namesIn(join(paths.state, 'sessions')));
  const sessions = await queries.sessions.list(anySession, all);
  const missing = sessions.filter(({ id, startedAt }) => startedAt !== null && !here.has(id));
  const known = new Set(sessions.map(({ id }) => id));
  const folders = await filterAsync(
    [...here],
    async (name) => !known.has(name) && (await queries.sessions.one(name)) === null,
  );
  return { folders: folders.toSorted(), missing: missing.map(({ id }) => id).toSorted() };
}
