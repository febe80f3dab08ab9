import { isLaunchable, outcomeOfState } from '../../model/entry.ts';
import { stepIdOf } from '../../model/key.ts';
import type { LaunchedAttempt } from '../../model/ports/host.ts';
import type { LauncherFacts } from '../../model/session-now.ts';
import { launcherFacts } from '../../runtime/launcher-facts.ts';
import { folderOf, markOf } from '../host/attempt-folder.ts';
import type { Looking } from '../sessions/sessions-now.ts';
import { isAdvancing } from '../status/living-holder.ts';
import { instant } from '../status/run-status.ts';
import type { Tutti } from '../tutti.ts';

/** An attempt that has ended by what its launcher left, which the database does not know. */
interface UnrecordedEnd {
  readonly attempt: LaunchedAttempt;
  readonly end: Extract<LauncherFacts, { at: 'ended' }>;
}

export async function findUnrecordedEnds(
  { queries, paths, processes }: Looking,
  ids: readonly string[],
): Promise<readonly UnrecordedEnd[]> {
  const ends: UnrecordedEnd[] = [];
  for (const runId of ids) {
    for (const { key, attempt: number, kind, sessionId, spec, state } of await queries.entries(runId)) {
      if (state.at !== 'launched' || !isLaunchable(kind)) continue;
      const attempt = { runId, key, attempt: number, kind, sessionId, spec, deadlineAt: null };
      const end = launcherFacts(folderOf({ paths }, attempt), markOf({ paths }, attempt), processes);
      if (end.at === 'ended') ends.push({ attempt, end });
    }
  }
  return ends;
}

/**
 * Records them for runs that no process advances, before such a run is stopped or continued: what ended by itself keeps its
 * result, and everything the time of its end. What was killed has none: its next attempt starts when the run continues.
 * Returns when the last of them ended; 0: there was none.
 */
export async function recordEnds(tutti: Tutti, ids: readonly string[]): Promise<number> {
  let last = 0;
  for (const { attempt, end } of await findUnrecordedEnds(tutti, ids)) {
    if (await isAdvancing(tutti, attempt.runId)) continue;
    last = Math.max(last, end.endedAt);
    const { completion, session, endedAt } = await (await tutti.host()).adopt(attempt, () => undefined);
    const isKilled = outcomeOfState(completion) === 'INTERRUPTED';
    await tutti.store.complete(attempt, isKilled ? { at: 'dropped' } : completion, session, endedAt);
  }
  return last;
}

/** `killed`: a stop, a kill or a limit ended it; false: it ended by itself. */
export function unrecordedEndJson({ attempt, end }: UnrecordedEnd): object {
  return {
    step: stepIdOf(attempt.key),
    session_id: attempt.sessionId,
    killed: end.status === 'KILLED',
    exit_code: end.exitCode,
    ended_at: instant(end.endedAt),
  };
}
