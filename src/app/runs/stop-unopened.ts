import { isSafeId } from '../../lib/ids.ts';
import { system } from '../../lib/process/system.ts';
import { readStart } from '../../runtime/attempt-files.ts';
import { end as endAttempt } from '../../runtime/end-attempt.ts';
import { endRun, runProcesses } from '../../runtime/end-run.ts';
import { markerVariable } from '../../runtime/process-spec.ts';
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

const why = 'a person stopped it';

/**
 * Ends the processes of one run, of every run that has some, or of the only one, without the database: processes carry the
 * mark of their run. The wish is kept, so that a holder launches nothing in between and the next command that can open the
 * database records it. Null: there are several, and none was named.
 */
export async function stopUnopened(
  { paths, env }: UnopenedProject,
  which: { readonly runId: string } | 'all' | 'only',
): Promise<StoppedUnopened | null> {
  const wishes = new KeptWishes(paths, env, unreachableStore);
  const runs = typeof which === 'object' ? [which.runId].filter(isSafeId) : liveRuns(paths.mark);
  if (which === 'only' && runs.length > 1) return null;
  const processes = runs.reduce((sum, id) => sum + runProcesses(paths.mark, id), 0);
  for (const id of runs) wishes.keep(id, 'stop', why);
  const reports = await Promise.all(runs.map((id) => endRun(paths.mark, id)));
  return { processes, left: reports.flatMap(({ left }) => left.map(({ pid }) => pid)) };
}

/** The same for one session, whose launcher recorded its mark. The wish is kept where the session is a run of its own. */
export async function killUnopened(
  { paths, env }: UnopenedProject,
  sessionId: string,
): Promise<StoppedUnopened | null> {
  const start = isSafeId(sessionId) ? readStart(paths.session(sessionId)) : { kind: 'absent' as const };
  if (start.kind !== 'started') return null;
  const runId = runOfMark(paths.mark, start.marker);
  if (runId === sessionId) new KeptWishes(paths, env, unreachableStore).keep(runId, 'stop', why);
  const { found, left } = await endAttempt(paths.session(sessionId), start.marker, why);
  return { processes: found, left: left.map(({ pid }) => pid) };
}

/** Runs of this project that have a living process. */
function liveRuns(project: string): readonly string[] {
  const ids = new Set<string>();
  system().withVariable(markerVariable, (value) => {
    const id = runOfMark(project, value);
    if (id !== null) ids.add(id);
    return false;
  });
  return [...ids];
}

/** A mark is `<project>:<run>#<key>#<n>`. */
function runOfMark(project: string, mark: string): string | null {
  const run = mark.startsWith(`${project}:`) ? mark.slice(project.length + 1).split('#')[0] : undefined;
  return run !== undefined && isSafeId(run) ? run : null;
}

const unreachable = (): Promise<never> => Promise.reject(new Error('the database cannot be opened'));
const unreachableStore = { cancel: unreachable, halt: unreachable };
