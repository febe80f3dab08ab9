import type { ProcessTable } from '../../lib/process/process-table.ts';
import { isTerminal, type Session, type SessionStatus, sessionStatuses } from '../../model/session.ts';
import { sessionNow } from '../../model/session-now.ts';
import { launcherFacts } from '../../runtime/launcher-facts.ts';
import type { Queries } from '../../model/ports/queries.ts';
import type { SessionFilter, SessionPage } from '../../model/ports/session-queries.ts';
import { markOf } from '../host/attempt-folder.ts';
import type { ProjectPaths } from '../project.ts';
import { isHeld } from '../status/living-holder.ts';

/** What a look needs: tables, launchers' files, processes. */
export interface Looking {
  readonly queries: Queries;
  readonly paths: ProjectPaths;
  readonly processes: ProcessTable;
}

/** A session as it is now, whatever its row says: from the row, its launcher's files and the process table. */
export async function lookAtSession(tutti: Looking, row: Session): Promise<Session> {
  if (isTerminal(row.status)) return row;
  const { queries, paths, processes } = tutti;
  const place = { launched: await queries.sessions.isLaunched(row), held: await isHeld(tutti, row.runId) };
  const seen = sessionNow(
    row,
    launcherFacts(paths.session(row.id), markOf({ paths }, row), processes, place.launched),
    place,
  );
  // Its end may have been recorded between the two looks.
  return seen === row ? row : preferRecorded(await queries.sessions.one(row.id), seen);
}

/** Null: there is no such session. */
export async function findSession(tutti: Looking, id: string): Promise<Session | null> {
  const row = await tutti.queries.sessions.one(id);
  return row === null ? null : lookAtSession(tutti, row);
}

/** Those of a run, in the order of their creation. */
export async function sessionsOfRun(tutti: Looking, runId: string): Promise<readonly Session[]> {
  return Promise.all((await tutti.queries.sessions.ofRun(runId)).map((row) => lookAtSession(tutti, row)));
}

/** The sessions of a page, newest first, chosen by what they are now. */
export async function listSessions(
  tutti: Looking,
  filter: SessionFilter,
  page: SessionPage,
): Promise<readonly Session[]> {
  const { sessions } = tutti.queries;
  const { status } = filter;
  if (status === null)
    return Promise.all((await sessions.list(filter, page)).map((row) => lookAtSession(tutti, row)));
  const changed = await changedSessions(tutti, filter);
  if (changed.size === 0) return sessions.list(filter, page);
  const also = [...changed.values()].filter((session) => session.status === status).map(({ id }) => id);
  const despiteStatus = { also, except: [...changed.keys()] };
  return (await sessions.list({ ...filter, despiteStatus }, page)).map((row) => changed.get(row.id) ?? row);
}

/** How many there are in each state now. */
export async function countSessions(
  tutti: Looking,
  filter: SessionFilter,
): Promise<ReadonlyMap<SessionStatus, number>> {
  const recorded = await tutti.queries.sessions.totals({ ...filter, status: null });
  const totals = new Map(
    sessionStatuses.flatMap((status) => {
      const count = recorded[status];
      return count === undefined ? [] : [[status, count] as const];
    }),
  );
  const add = (status: SessionStatus, count: number): void => {
    const sum = (totals.get(status) ?? 0) + count;
    if (sum > 0) totals.set(status, sum);
    else totals.delete(status);
  };
  const changed = await changedSessions(tutti, filter);
  for (const row of await liveRows(tutti, filter)) {
    const now = changed.get(row.id);
    if (now === undefined) continue;
    add(row.status, -1);
    add(now.status, 1);
  }
  return filter.status === null
    ? totals
    : new Map([...totals].filter(([status]) => status === filter.status));
}

/** Sessions whose rows say something else than what they are, by id. */
async function changedSessions(tutti: Looking, filter: SessionFilter): Promise<ReadonlyMap<string, Session>> {
  const seen = (
    await Promise.all(
      (
        await liveRows(tutti, filter)
      ).map(async (row) => {
        const now = await lookAtSession(tutti, row);
        return now === row ? [] : [now];
      }),
    )
  ).flat();
  return new Map(seen.map((session) => [session.id, session]));
}

/** Few, because each holds a slot or waits for one. */
async function liveRows({ queries }: Looking, filter: SessionFilter): Promise<readonly Session[]> {
  return (
    await Promise.all(
      (['CREATED', 'RUNNING'] as const).map((status) =>
        queries.sessions.list({ ...filter, status }, { limit: null, before: null }),
      ),
    )
  ).flat();
}

function preferRecorded(row: Session | null, seen: Session): Session {
  return row !== null && isTerminal(row.status) ? row : seen;
}
