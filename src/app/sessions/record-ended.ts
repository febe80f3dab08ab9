import type { LaunchedAttempt } from '../../model/ports/host.ts';
import type { EndedAttempt } from '../../model/ports/store.ts';
import type { Session } from '../../model/session.ts';
import { launcherFacts } from '../../runtime/launcher-facts.ts';
import type { LaunchedSession } from '../../model/ports/session-queries.ts';
import { markOf } from '../host/attempt-folder.ts';
import { isHeld } from '../status/living-holder.ts';
import type { Tutti } from '../tutti.ts';

interface EndedSession extends EndedAttempt {
  readonly ref: LaunchedAttempt;
}

/**
 * What sessions left whose process is gone while no process advances their run. Commands that only look compute that they
 * ended (`lookAtSession`); one that needs a slot or a claim records it.
 */
export async function findEnded(tutti: Tutti): Promise<readonly EndedSession[]> {
  const ended: EndedSession[] = [];
  for (const launched of await tutti.queries.sessions.launched()) {
    const { session } = launched;
    if (!(await isHeld(tutti, session.runId)) && !lives(tutti, session))
      ended.push(await readEnded(tutti, launched));
  }
  return ended;
}

/** Records the end of such sessions, so that the slots they held are free. Returns their ids. */
export async function recordEnded(tutti: Tutti): Promise<readonly string[]> {
  const ended = await findEnded(tutti);
  for (const { ref, completion, session, endedAt } of ended)
    await tutti.store.complete(ref, completion, session, endedAt);
  return ended.map(({ ref }) => ref.sessionId ?? '');
}

/** Its process must be gone, and nobody advance its run. */
export async function recordEnd(tutti: Tutti, launched: LaunchedSession): Promise<void> {
  const { ref, completion, session } = await readEnded(tutti, launched);
  await tutti.store.complete(ref, completion, session);
}

async function readEnded(tutti: Tutti, launched: LaunchedSession): Promise<EndedSession> {
  const ref = attemptOf(launched);
  return { ref, ...(await (await tutti.host()).adopt(ref, () => undefined)) };
}

function attemptOf({ session, entry }: LaunchedSession): LaunchedAttempt {
  const { runId, key, attempt, id } = session;
  return { runId, key, attempt, kind: 'session', spec: entry.spec, sessionId: id, deadlineAt: null };
}

/** A launcher that has not yet told who it is counts as one. */
function lives({ paths, processes }: Tutti, session: Session): boolean {
  return launcherFacts(paths.session(session.id), markOf({ paths }, session), processes).at === 'alive';
}
