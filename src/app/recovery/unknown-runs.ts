import { filterAsync } from '../../lib/async-list.ts';
import { liveRuns } from '../../runtime/living-attempts.ts';
import type { ProjectPaths } from '../project.ts';

/**
 * Runs of this project that have living processes and of which nothing is recorded: the database was lost with everything that
 * is kept of it. Only the marks of their processes tell of them.
 */
export async function findUnknownRuns(
  { mark }: Pick<ProjectPaths, 'mark'>,
  isKnown: (runId: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const ids = await filterAsync(liveRuns(mark), async (id) => !(await isKnown(id)));
  // What was started inside a run ends with it.
  return ids.filter((id) => !ids.some((other) => id.startsWith(`${other}.`))).toSorted();
}
