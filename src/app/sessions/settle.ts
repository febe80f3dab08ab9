import { isAlive } from '../../lib/process/identity.ts';
import type { LaunchedAttempt } from '../../model/ports/host.ts';
import type { Session } from '../../model/session.ts';
import { readEnd, readStart } from '../../runtime/attempt-files.ts';
import { attemptFinder } from '../../runtime/follow.ts';
import type { LaunchedSession } from '../../store/session-queries.ts';
import { markOf } from '../host/place.ts';
import { isDriven } from '../runs/drive-run.ts';
import type { Tutti } from '../tutti.ts';

/**
 * Records the end of sessions whose process is gone while nobody drove their run, so that what the tables say is true and
 * the slots they held are free. Whoever drives the run next finds the result there. Returns their ids.
 */
export async function settleEnded(tutti: Tutti): Promise<readonly string[]> {
  const gone = tutti.queries.sessions
    .launched()
    .filter(({ session }) => !isDriven(tutti, session.runId) && !lives(tutti, session));
  for (const one of gone) await settle(tutti, one);
  return gone.map(({ session }) => session.id);
}

/** Its process must be gone, and nobody drive its run. */
export async function settle(tutti: Tutti, launched: LaunchedSession): Promise<void> {
  const attempt = attemptOf(launched);
  const { completion, session } = await (await tutti.host()).adopt(attempt, () => undefined);
  await tutti.store.complete(attempt, completion, session);
}

function attemptOf({ session, entry }: LaunchedSession): LaunchedAttempt {
  const { runId, key, attempt, id } = session;
  return { runId, key, attempt, kind: 'session', spec: entry.spec, sessionId: id, deadlineAt: null };
}

/** Not ended, and its launcher is there to end it. A launcher that has not yet told who it is counts as one. */
function lives({ paths }: Tutti, session: Session): boolean {
  const dir = paths.session(session.id);
  if (readEnd(dir) !== null) return false;
  const start = readStart(dir);
  if (start.kind === 'unreadable') return attemptFinder(markOf({ paths }, session), null)().length > 0;
  return start.kind === 'started' && isAlive(start.launcher);
}
