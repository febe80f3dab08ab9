import { recorded } from '../../lib/json.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { lookForRequests } from '../host/request-watch.ts';
import { isAdvancing } from '../status/living-holder.ts';
import type { Tutti } from '../tutti.ts';

/** Records what sessions ask people while no process advances their run; the process that advances one records it as it comes. */
export async function noteRequests(tutti: Tutti): Promise<void> {
  for (const { session, entry } of await tutti.queries.sessions.launched()) {
    if (await isAdvancing(tutti, session.runId)) continue;
    await lookForRequests(tutti, session.id, recorded<SessionSpec>(entry.spec));
  }
}
