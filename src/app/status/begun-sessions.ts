import type { Queries } from '../../model/ports/queries.ts';
import type { Session } from '../../model/session.ts';
import { hasSpent } from '../../model/usage.ts';
import { startRecordedAt } from '../../runtime/attempt-files.ts';
import type { ProjectPaths } from '../project.ts';

/** Whether its process came to run, although no process may have recorded it. */
export function hasBegun({ paths }: { readonly paths: ProjectPaths }, session: Session): boolean {
  if (session.startedAt !== null || (session.usage !== null && hasSpent(session.usage))) return true;
  return startRecordedAt(paths.session(session.id)) !== null;
}

/** The sessions of a run, and of those that live on its budget, that were launched and whose end is not recorded. */
export async function launchedOfTree(
  { queries }: { readonly queries: Queries },
  rootId: string,
): Promise<readonly Session[]> {
  const launched = (await queries.sessions.launched()).map(({ session }) => session);
  const roots = await Promise.all(launched.map(async ({ runId }) => (await queries.run(runId))?.rootId));
  return launched.filter(({ runId }, index) => runId === rootId || roots[index] === rootId);
}
