import { recorded } from '../../lib/json.ts';
import type { Activity } from '../../model/activity.ts';
import type { SessionInput } from '../../model/session-input.ts';
import type { Session } from '../../model/session.ts';
import type { SessionSpec } from '../../model/turn.ts';
import type { WatchFacts } from '../../model/watchdog.ts';
import type { LauncherFacts } from '../../model/session-now.ts';
import { files, readStart, recordedAt } from '../../runtime/attempt-files.ts';
import { launcherFacts } from '../../runtime/launcher-facts.ts';
import { folderBytes } from '../../runtime/limits/folder-size.ts';
import type { LaunchedSession, UnlaunchedSession } from '../../model/ports/session-queries.ts';
import { markOf } from '../host/attempt-folder.ts';
import { isHeld } from '../status/living-holder.ts';
import { isOwnRun } from '../sessions/find.ts';
import type { Tutti } from '../tutti.ts';
import { activityNow } from '../sessions/activity.ts';

export async function factsOfLaunched(
  tutti: Tutti,
  { session, entry }: LaunchedSession,
): Promise<WatchFacts> {
  const dir = tutti.paths.session(session.id);
  const process = processIn(tutti, session);
  const seenAt = session.startedAt ?? recordedAt(dir, files.started);
  return {
    ...(await common(tutti, session)),
    process,
    // It may have been created long before its turn came.
    sinceAt: seenAt ?? Math.max(session.createdAt, entry.openedAt),
    lifetimeMs: recorded<SessionSpec>(entry.spec).timeoutMs,
    activity: process === 'alive' ? heard(tutti, session) : { at: 'starting' },
    diskBytes: process === 'alive' ? await folderBytes(dir) : 0,
  };
}

export async function factsOfUnlaunched(
  tutti: Tutti,
  { session, promised }: UnlaunchedSession,
): Promise<WatchFacts> {
  const input = (await isOwnRun(tutti, session))
    ? recorded<SessionInput>(await tutti.queries.input(session.runId))
    : null;
  return {
    ...(await common(tutti, session)),
    process: promised ? 'promised' : 'waiting',
    sinceAt: session.createdAt,
    lifetimeMs: input?.spec.timeoutMs ?? tutti.config.sessionTimeoutMs,
    activity: { at: 'starting' },
    diskBytes: 0,
  };
}

async function common(
  tutti: Tutti,
  { runId }: Session,
): Promise<Pick<WatchFacts, 'held' | 'limits' | 'now'>> {
  return { held: await isHeld(tutti, runId), limits: tutti.config.limits, now: tutti.clock.wall() };
}

function processIn({ paths, processes }: Tutti, session: Session): LauncherFacts['at'] {
  const dir = paths.session(session.id);
  // Declared lost by the process that gave it up: there is nothing to end any more.
  if (readStart(dir).kind === 'lost') return 'ended';
  return launcherFacts(dir, markOf({ paths }, session), processes).at;
}

/** What it said is read only where its silence makes it matter. */
function heard(tutti: Tutti, session: Session): Activity {
  const glance = activityNow(tutti, session, 'glance');
  return glance.at === 'stalled' ? activityNow(tutti, session, 'look') : glance;
}
