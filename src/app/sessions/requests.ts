import { recorded } from '../../lib/json.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { lookForRequests } from '../host/request-watch.ts';
import { isDriven } from '../runs/drive-run.ts';
import type { Tutti } from '../tutti.ts';
import { settleEnded } from './settle.ts';

/** What sessions ask people while nobody drives their run; the process that drives one tells it as it comes. */
export async function noteRequests(tutti: Tutti): Promise<void> {
  await settleEnded(tutti);
  for (const { session, entry } of tutti.queries.sessions.launched()) {
    if (isDriven(tutti, session.runId)) continue;
    await lookForRequests(tutti, session.id, recorded<SessionSpec>(entry.spec));
  }
}
