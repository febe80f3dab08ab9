import { isSafeId } from '../../../lib/ids.ts';
import { isOver } from '../../../model/run.ts';
import { isTerminal, type Session } from '../../../model/session.ts';
import { findSession, type Looking } from '../../sessions/sessions-now.ts';

const session = 'session:';

/**
 * Whether whoever took a task is still there. A run that is not over goes on when it is resumed. A name that is neither a
 * session nor a run tells nothing: `unknown`.
 */
export async function isWorking(tutti: Looking, by: string): Promise<'yes' | 'no' | 'unknown'> {
  if (by.startsWith(session)) {
    const found = await sessionBehind(tutti, by);
    return found !== null && !isTerminal(found.status) ? 'yes' : 'no';
  }
  const run = isSafeId(by) ? await tutti.queries.run(by) : null;
  if (run === null) return 'unknown';
  return isOver(run.state) ? 'no' : 'yes';
}

/** The session that took a task, as it is now. Null: it was taken otherwise, or the session is not known. */
export async function sessionBehind(tutti: Looking, by: string): Promise<Session | null> {
  const id = by.startsWith(session) ? by.slice(session.length) : '';
  return isSafeId(id) ? findSession(tutti, id) : null;
}
