import type { ProcessTable } from '../../lib/process/process-table.ts';
import { isTerminal, type Session, type SessionStatus } from '../../model/session.ts';
import { sessionNow } from '../../model/session-now.ts';
import { launcherFacts } from '../../runtime/launcher-facts.ts';
import type { Queries } from '../../store/queries.ts';
import type { SessionFilter, SessionPage } from '../../store/session-queries.ts';
import { markOf } from '../host/place.ts';
import type { ProjectPaths } from '../project.ts';
import { isHeld } from '../status/living-holder.ts';

/** What a look needs: tables, launchers' files, processes. */
export interface Looking {
  readonly queries: Queries;
  readonly paths: ProjectPaths;
  readonly processes: ProcessTable;
}

/** A session as it is now, whatever its row says: from the row, its launcher's files and the process table. */
export function lookAtSession(tutti: Looking, row: Session): Session {
  if (isTerminal(row.status)) return row;
  const { queries, paths, processes } = tutti;
  const place = { launched: queries.sessions.isLaunched(row), held: isHeld(tutti, row.runId) };
  const seen = sessionNow(
    row,
    launcherFacts(paths.session(row.id), markOf({ paths }, row), processes),
    place,
  );
  // Its end may have been recorded between the two looks.
  return seen === row ? row : preferRecorded(queries.sessions.one(row.id), seen);
}

/** Null: there is no such session. */
export function findSession(tutti: Looking, id: string): Session | null {
  const row = tutti.queries.sessions.one(id);
  return row === null ? null : lookAtSession(tutti, row);
}

/** Those of a run, in the order of their creation. */
export function sessionsOfRun(tutti: Looking, runId: string): readonly Session[] {
  return tutti.queries.sessions.ofRun(runId).map((row) => lookAtSession(tutti, row));
}

/** The sessions of a page, newest first, chosen by what they are now. */
export function listSessions(tutti: Looking, filter: SessionFilter, page: SessionPage): readonly Session[] {
  const { sessions } = tutti.queries;
  const { status } = filter;
  if (status === null) return sessions.list(filter, page).map((row) => lookAtSession(tutti, row));
  const changed = changedSessions(tutti, filter);
  if (changed.size === 0) return sessions.list(filter, page);
  const also = [...changed.values()].filter((session) => session.status === status).map(({ id }) => id);
  const despiteStatus = { also, except: [...changed.keys()] };
  return sessions.list({ ...filter, despiteStatus }, page).map((row) => changed.get(row.id) ?? row);
}

/** How many there are in each state now. */
export function countSessions(tutti: Looking, filter: SessionFilter): ReadonlyMap<SessionStatus, number> {
  const totals = new Map(tutti.queries.sessions.totals({ ...filter, status: null }));
  const add = (status: SessionStatus, count: number): void => {
    const sum = (totals.get(status) ?? 0) + count;
    if (sum > 0) totals.set(status, sum);
    else totals.delete(status);
  };
  const changed = changedSessions(tutti, filter);
  for (const row of liveRows(tutti, filter)) {
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
function changedSessions(tutti: Looking, filter: SessionFilter): ReadonlyMap<string, Session> {
  const seen = liveRows(tutti, filter).flatMap((row) => {
    const now = lookAtSession(tutti, row);
    return now === row ? [] : [now];
  });
  return new Map(seen.map((session) => [session.id, session]));
}

/** Few, because each holds a slot or waits for one. */
function liveRows({ queries }: Looking, filter: SessionFilter): readonly Session[] {
  return (['CREATED', 'RUNNING'] as const).flatMap((status) =>
    queries.sessions.list({ ...filter, status }, { limit: null, before: null }),
  );
}

function preferRecorded(row: Session | null, seen: Session): Session {
  return row !== null && isTerminal(row.status) ? row : seen;
}
