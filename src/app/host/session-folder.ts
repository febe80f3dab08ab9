import type { Session } from '../../model/session.ts';
import type { ProjectPaths } from '../project.ts';

/** Where a session's files are now; null when they were pruned. */
export function sessionFolder(paths: ProjectPaths, session: Session): string | null {
  if (session.prunedAt !== null) return null;
  return session.archivedAt === null ? paths.session(session.id) : paths.archived(session.id);
}
