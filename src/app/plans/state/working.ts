import { isSafeId } from '../../../lib/ids.ts';
import { isOver } from '../../../model/run.ts';
import { isTerminal } from '../../../model/session.ts';
import type { Tutti } from '../../tutti.ts';

const session = 'session:';

/**
 * Whether whoever took a task is still there. A run that is not over goes on when it is resumed. A name that is neither a
 * session nor a run tells nothing: `unknown`.
 */
export function isWorking({ queries }: Pick<Tutti, 'queries'>, by: string): 'yes' | 'no' | 'unknown' {
  if (by.startsWith(session)) {
    const id = by.slice(session.length);
    const found = isSafeId(id) ? queries.sessions.one(id) : null;
    return found !== null && !isTerminal(found.status) ? 'yes' : 'no';
  }
  const run = isSafeId(by) ? queries.run(by) : null;
  if (run === null) return 'unknown';
  return isOver(run.state) ? 'no' : 'yes';
}
