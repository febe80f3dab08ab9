import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isSafeId } from '../../lib/ids.ts';
import type { EndReport } from '../../lib/process/end-processes.ts';
import { system } from '../../lib/process/system.ts';
import { announceEnding, keepEnd, readEnd, readStart } from '../../runtime/attempt-files.ts';
import { end as endAttempt, endLeftBehind } from '../../runtime/end-attempt.ts';
import { endRun, endSessionGroups, runProcesses } from '../../runtime/end-run.ts';
import { liveRuns, runOfMark } from '../../runtime/living-attempts.ts';
import { markerVariable } from '../../runtime/process-spec.ts';
import { waitingEnd } from '../../runtime/waiting-end.ts';
import { type CutOffReason, stoppedWithRun } from '../../model/ports/host.ts';
import { folderOf } from '../host/attempt-folder.ts';
import type { ProjectPaths } from '../project.ts';
import type { Variables } from '../state-folder.ts';
import { KeptWishes } from './kept-wishes.ts';

/** A project whose database cannot be opened. */
export interface UnopenedProject {
  readonly paths: ProjectPaths;
  readonly env: Variables;
}

export interface StoppedUnopened {
  /** Processes that were found alive and ended. */
  readonly processes: number;
  /** Pids that could not be ended. */
  readonly left: readonly number[];
}

/** Why, and who wants it. */
export interface Wish {
  readonly why: string;
  readonly by: string;
}

/**
 * Ends the processes of one run, of every run that has some, or of the only one, without the database: processes carry the
 * mark of their run. The wish is kept, so that a holder launches nothing in between and the next command that can open the
 * database records it. Null: there are several, and none was named.
 */
export async function stopUnopened(
  { paths, env }: UnopenedProject,
  which: { readonly runId: string } | 'all' | 'only',
  { why, by }: Wish,
): Promise<StoppedUnopened | null> {
  const wishes = new KeptWishes(paths, env, unreachableStore);
  const runs = typeof which === 'object' ? [which.runId].filter(isSafeId) : liveRuns(paths.mark);
  if (which === 'only' && runs.length > 1) return null;
  const processes = runs.reduce((sum, id) => sum + runProcesses(paths.mark, id), 0);
  for (const id of runs) wishes.keep(id, 'stop', why, by);
  const reports = await Promise.all(
    runs.map((id) =>
      endRun(paths.mark, id, ({ pid }) => {
        announceCutOff(paths, pid, stoppedWithRun);
      }),
    ),
  );
  return { processes, left: reports.flatMap(({ left }) => left.map(({ pid }) => pid)) };
}

/**
 * The same for one session, by its id, a beginning of it or `last`, or for all of them: by the files of their launchers, by
 * the marks of processes and, for all, by control groups. The wish is kept where the session is a run of its own. Null: no
 * session, or several, have that name.
 */
export async function killUnopened(
  project: UnopenedProject,
  which: { readonly name: string } | 'all',
  wish: Wish,
): Promise<StoppedUnopened | null> {
  const { paths } = project;
  const marks = sessionMarks(paths);
  const ids = which === 'all' ? [...marks.keys()] : namedSessions(paths, [...marks.keys()], which.name);
  if (which !== 'all' && which.name === 'last' && marks.size === 0) return { processes: 0, left: [] };
  if (which !== 'all' && ids.length !== 1) return null;
  const reports = await Promise.all(
    ids.flatMap((id) => (marks.get(id) ?? []).map((mark) => endSession(project, { id, mark }, wish))),
  );
  if (which === 'all') reports.push(await endSessionGroups(paths.mark));
  return {
    processes: reports.reduce((sum, { found }) => sum + found, 0),
    left: reports.flatMap(({ left }) => left.map(({ pid }) => pid)),
  };
}

/** Says in the place of a process's attempt why it ends: its holder must not take it for a failure. */
export function announceCutOff(paths: ProjectPaths, pid: number, reason: CutOffReason): void {
  const table = system();
  const mark = table.variable(pid, markerVariable) ?? '';
  const place = placeOfMark(paths, mark, table.variable(pid, 'TUTTI_SESSION_ID') ?? '');
  if (place === null) return;
  const waiting = ifPossible(() => waitingEnd(place));
  // What has ended keeps its end, also where only its launcher's memory has it.
  ifPossible(() => (waiting === null ? announceEnding(place, 'killed', reason) : keepEnd(place, waiting)));
}

/** The place of the attempt that a mark names; null: it names none. */
function placeOfMark(paths: ProjectPaths, mark: string, session: string): string | null {
  const runId = runOfMark(paths.mark, mark);
  const [, key, attempt] = /^[^#]*#(.*)#(\d{1,9})$/.exec(mark) ?? [];
  if (runId === null || key === undefined) return null;
  const start = isSafeId(session) ? ifPossible(() => readStart(paths.session(session))) : null;
  const isSession = start?.kind === 'started' && start.marker === mark;
  const ref = { runId, key, attempt: Number(attempt), spec: null, deadlineAt: null };
  return folderOf(
    { paths },
    isSession ? { ...ref, kind: 'session', sessionId: session } : { ...ref, kind: 'task', sessionId: null },
  );
}

function endSession(
  { paths, env }: UnopenedProject,
  { id, mark }: { readonly id: string; readonly mark: string },
  { why, by }: Wish,
): Promise<EndReport> {
  // One that has ended keeps its end.
  if (ifPossible(() => readEnd(paths.session(id))) !== null) return endLeftBehind(paths.session(id), mark);
  // Before the first signal: its holder must not take the end for a reason to launch it again.
  if (runOfMark(paths.mark, mark) === id)
    new KeptWishes(paths, env, unreachableStore).keep(id, 'stop', why, by);
  return endAttempt(paths.session(id), mark, why);
}

/** Sessions whose launcher recorded no end, and those that have a living process, with the marks of their attempts. */
function sessionMarks(paths: ProjectPaths): ReadonlyMap<string, readonly string[]> {
  const marks = new Map<string, readonly string[]>();
  const add = (id: string, mark: string): void => {
    const known = marks.get(id) ?? [];
    if (isSafeId(id) && runOfMark(paths.mark, mark) !== null && !known.includes(mark))
      marks.set(id, [...known, mark]);
  };
  for (const id of sessionFolders(paths)) {
    const start = ifPossible(() => readStart(paths.session(id)));
    if (start?.kind === 'started' && ifPossible(() => readEnd(paths.session(id))) === null)
      add(id, start.marker);
  }
  const table = system();
  for (const pid of table.withVariable(markerVariable, (value) => runOfMark(paths.mark, value) !== null)) {
    add(table.variable(pid, 'TUTTI_SESSION_ID') ?? '', table.variable(pid, markerVariable) ?? '');
  }
  return marks;
}

function sessionFolders({ state }: ProjectPaths): readonly string[] {
  return (ifPossible(() => readdirSync(join(state, 'sessions'))) ?? []).filter(isSafeId);
}

/** A disk that cannot be read or written hides files, and no processes. */
function ifPossible<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}

/** As `requiredSession` finds them, of those that live. */
function namedSessions(paths: ProjectPaths, live: readonly string[], name: string): readonly string[] {
  if (live.includes(name) || sessionFolders(paths).includes(name)) return [name];
  const newest = live.toSorted().at(-1);
  if (name === 'last' && newest !== undefined) return [newest];
  return live.filter((id) => id.startsWith(name));
}

/**
 * Ends every process of a run of which nothing is recorded (`findUnknownRuns`). The wish is kept outside the state, for a recovery
 * that restores the run; a new run of that name does not heed it.
 */
export async function stopUnknownRun(
  { paths, env }: UnopenedProject,
  runId: string,
  { why, by }: Wish,
): Promise<StoppedUnopened> {
  const processes = runProcesses(paths.mark, runId);
  new KeptWishes(paths, env, unreachableStore).keep(runId, 'stop', why, by);
  const { left } = await endRun(paths.mark, runId, ({ pid }) => {
    announceCutOff(paths, pid, stoppedWithRun);
  });
  return { processes, left: left.map(({ pid }) => pid) };
}

const unreachable = (): Promise<never> => Promise.reject(new Error('the database cannot be opened'));
const unreachableStore = { cancel: unreachable, halt: unreachable };
