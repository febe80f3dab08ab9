import { filterAsync } from '../../lib/async-list.ts';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { recorded } from '../../lib/json.ts';
import type { ProcessTable } from '../../lib/process/process-table.ts';
import type { OpenQuestion } from '../../model/question.ts';
import type { SessionSpec } from '../../model/turn.ts';
import { launcherFacts } from '../../runtime/launcher-facts.ts';
import { requestKey } from '../../model/request-key.ts';
import type { LaunchedSession } from '../../model/ports/session-queries.ts';
import { markOf } from '../host/attempt-folder.ts';
import type { OpenedProject } from '../opened-project.ts';
import { isHeld, isStopKept, type KeptStopFacts } from './living-holder.ts';

export interface QuestionPlaces extends Pick<OpenedProject, 'queries' | 'paths' | 'clock' | 'logs'> {
  readonly processes: ProcessTable;
  readonly wishes?: KeptStopFacts['wishes'];
}

/**
 * What waits for a person now, of one run or of all: what the tables say, without what a session asked that has ended
 * since, and with what a living session asks that no process has recorded. `tutti answer` records that first. Questions of a
 * stopped run wait until it is resumed, also where the stop is not recorded yet.
 */
export async function findOpenQuestions(
  places: QuestionPlaces,
  runId: string | null = null,
): Promise<readonly OpenQuestion[]> {
  const open = await places.queries.openQuestions(runId);
  const launched = (await places.queries.sessions.launched()).filter(
    ({ session }) => runId === null || session.runId === runId,
  );
  const seen = await Promise.all(launched.map((one) => lookAt(places, one)));
  const gone = new Set(seen.flatMap(({ gone: keys }) => keys));
  const ended = new Set(seen.flatMap(({ id, alive }) => (alive ? [] : [id])));
  const kept = open.filter(
    ({ key, asker }) => asker === null || !(gone.has(key) || ended.has(asker.session)),
  );
  const all = [...kept, ...seen.flatMap(({ unrecorded }) => unrecorded)];
  const asking = [...new Set(all.map((one) => one.runId))];
  const stopped = new Set(
    await filterAsync(asking, async (id) => {
      const run = await places.queries.run(id);
      return run !== null && isStopKept(places, run);
    }),
  );
  return all.filter((one) => !stopped.has(one.runId));
}

interface SeenRequests {
  readonly id: string;
  readonly alive: boolean;
  /** Keys of questions that the log says were answered. */
  readonly gone: readonly string[];
  readonly unrecorded: readonly OpenQuestion[];
}

async function lookAt(places: QuestionPlaces, { session, entry }: LaunchedSession): Promise<SeenRequests> {
  const { queries, paths, processes } = places;
  const { id, runId } = session;
  const { at } = launcherFacts(paths.session(id), markOf({ paths }, session), processes);
  const alive = at === 'alive' || at === 'unborn';
  const pending =
    !alive || (await isHeld(places, runId))
      ? null
      : await places.logs.pendingRequests(id, recorded<SessionSpec>(entry.spec));
  if (pending === null) return { id, alive, gone: [], unrecorded: [] };
  const known = await queries.questionsOf(id);
  const isPending = (request: number): boolean => pending.some(({ number }) => number === request);
  const numbers = new Set(known.map(({ asker }) => asker?.request));
  const askedAt = statSync(join(paths.session(id), 'output.log'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return {
    id,
    alive,
    gone: known.filter(({ asker }) => asker !== null && !isPending(asker.request)).map(({ key }) => key),
    unrecorded: pending
      .filter(({ number }) => !numbers.has(number))
      .map(({ number, question }) => {
        const key = requestKey(session, number);
        const asker = { session: id, request: number };
        return { id: `${runId}/${key}`, runId, key, question, askedAt: Math.round(askedAt), asker };
      }),
  };
}
