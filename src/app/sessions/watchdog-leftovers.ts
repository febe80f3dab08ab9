import { join } from 'node:path';
import { anySession } from '../../store/session-queries.ts';
import type { Tutti } from '../tutti.ts';
import { namesIn } from './archive-repair.ts';

/** What does not fit together. It is told and never touched: somebody may want to know why. */
export interface Leftovers {
  /** Folders below `.tutti/sessions` that belong to no session. */
  readonly folders: readonly string[];
  /** Sessions that ran, and whose folder is gone. */
  readonly missing: readonly string[];
}

export function leftoversOf({ queries, paths }: Pick<Tutti, 'queries' | 'paths'>): Leftovers {
  const all = { limit: null, before: null } as const;
  const here = new Set(namesIn(join(paths.state, 'sessions')));
  const sessions = queries.sessions.list(anySession, all);
  const missing = sessions.filter(({ id, startedAt }) => startedAt !== null && !here.has(id));
  const known = new Set(sessions.map(({ id }) => id));
  const folders = [...here].filter((name) => !known.has(name) && queries.sessions.one(name) === null);
  return { folders: folders.toSorted(), missing: missing.map(({ id }) => id).toSorted() };
}
