import { isTerminal } from '../../model/session.ts';
import { endedSilently } from '../../runtime/recorded-end.ts';
import { writeTerminal } from '../../runtime/session-state.ts';
import type { Tutti } from '../tutti.ts';

/** A session that never came to run has no launcher to write how it ended: its view is brought up to date here. */
export async function showUnlaunched(
  { queries, paths }: Pick<Tutti, 'queries' | 'paths'>,
  runId: string,
): Promise<void> {
  for (const { id, status, startedAt } of await queries.sessions.ofRun(runId)) {
    if (startedAt !== null || !isTerminal(status)) continue;
    const end = status === 'KILLED' ? endedSilently('killed', 'before it started') : 'lost';
    try {
      writeTerminal(paths.session(id), end);
    } catch {
      // A view: the tables know, and `tutti session status` tells.
    }
  }
}
