import { isLaunchable } from '../../model/entry.ts';
import type { ProcessIdentity } from '../../lib/process/identity.ts';
import { type CutOffReason, stoppedWithRun } from '../../model/ports/host.ts';
import { end as endAttempt } from '../../runtime/end-attempt.ts';
import { killingTimes } from '../../runtime/follow.ts';
import { endRun } from '../../runtime/end-run.ts';
import { folderOf, markOf } from '../host/attempt-folder.ts';
import { putAsideNew } from '../host/put-aside.ts';
import { announceCutOff } from './stop-unopened.ts';
import type { Tutti } from '../tutti.ts';

/**
 * Ends every process of these runs. What has not started never will; then everything by its mark, also what escaped its
 * session. The reason is recorded before the first signal, so that no attempt counts as one that failed by itself. Returns
 * the pids that are left.
 */
export async function killRuns(
  tutti: Tutti,
  ids: readonly string[],
  reason: CutOffReason,
): Promise<readonly number[]> {
  const left = await Promise.all(
    ids.map(async (runId) => {
      const launched = (await tutti.queries.entries(runId)).filter(({ state }) => state.at === 'launched');
      await Promise.all(
        launched.map(async ({ key, attempt, kind, sessionId, spec }) => {
          if (!isLaunchable(kind)) return;
          const one = { runId, key, attempt, kind, sessionId, spec, deadlineAt: null };
          const ended = await endAttempt(folderOf(tutti, one), markOf(tutti, one), reason);
          if (kind === 'session' && ended.left.length === 0) putAsideNew(folderOf(tutti, one));
        }),
      );
      const report = await endRun(tutti.paths.mark, runId, ({ pid }) => {
        announceCutOff(tutti.paths, pid, reason);
      });
      return report.left.map(({ pid }) => pid);
    }),
  );
  return left.flat();
}

/** Kills every process of a run that is being stopped and of the runs inside it at once, also where the database cannot be read. */
export async function killAtOnce({ queries, paths }: Tutti, runId: string): Promise<void> {
  const inside = await queries.runsInside(runId).catch(() => []);
  const announce = ({ pid }: ProcessIdentity): void => {
    announceCutOff(paths, pid, stoppedWithRun);
  };
  await Promise.all([runId, ...inside].map((id) => endRun(paths.mark, id, announce, killingTimes)));
}
