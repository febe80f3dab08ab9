import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Entry, isLaunchable } from '../../model/entry.ts';
import { stepIdOf } from '../../model/key.ts';
import { isOver } from '../../model/run.ts';
import { files, readStart } from '../../runtime/attempt-files.ts';
import { livingAttempts } from '../../runtime/living-attempts.ts';
import type { Tutti } from '../tutti.ts';
import { folderOf, markOf } from '../host/attempt-folder.ts';
import type { ProjectPaths } from '../project.ts';
import { refusal, type Refusal } from '../refusal.ts';

interface Known {
  readonly paths: ProjectPaths;
  readonly queries: Pick<Tutti['queries'], 'entries' | 'run' | 'runsInside'>;
}

/** An attempt that lives while its files are gone: its result can no longer be read. */
export interface OrphanedAttempt {
  readonly runId: string;
  readonly step: string;
  /** Null: it is a command. */
  readonly sessionId: string | null;
}

/** Those of a run and of the runs inside it. The process table is asked only where files are missing. */
export async function findOrphaned(
  { paths, queries }: Known,
  runId: string,
): Promise<readonly OrphanedAttempt[]> {
  const found: OrphanedAttempt[] = [];
  let lives: ReturnType<typeof livingAttempts> | null = null;
  for (const run of [runId, ...(await queries.runsInside(runId))]) {
    for (const entry of await queries.entries(run)) {
      const { key, attempt, state, sessionId } = entry;
      if (state.at !== 'launched' || !hasNoFiles(paths, run, entry)) continue;
      lives ??= livingAttempts();
      if (lives(markOf({ paths }, { runId: run, key, attempt })))
        found.push({ runId, step: stepIdOf(key), sessionId });
    }
  }
  return found;
}

function nameOrphaned({ step, sessionId }: OrphanedAttempt): string {
  return sessionId === null ? `the command of step ${step}` : `session ${sessionId}`;
}

/**
 * Why a run may not be advanced: an agent or command of it lives and its files are gone. It cannot be followed, and a second
 * one beside it would be paid too. Null: there is none, or the run is being stopped, which launches nothing.
 */
export async function faultOfOrphaned(known: Known, runId: string): Promise<Refusal | null> {
  const run = await known.queries.run(runId);
  if (run !== null && run.cancelled && !isOver(run.state)) return null;
  const [first, ...more] = await findOrphaned(known, runId);
  if (first === undefined) return null;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  const message = `${nameOrphaned(first)} of run ${runId} still works${others}, and its result cannot be read, because its files are gone`;
  return refusal('UNAVAILABLE', message, `end it: tutti stop ${runId}; then continue: tutti resume ${runId}`);
}

function hasNoFiles(paths: ProjectPaths, runId: string, entry: Entry): boolean {
  const { key, kind, attempt, spec, sessionId } = entry;
  if (!isLaunchable(kind)) return false;
  const place = folderOf({ paths }, { runId, key, attempt, kind, spec, sessionId, deadlineAt: null });
  if (sessionId !== null) return readStart(place).kind === 'absent';
  // An operation may have several commands, each in a place whose name begins alike.
  const folder = dirname(place);
  const isStart = (name: string): boolean => name.startsWith(basename(place)) && name.endsWith(files.started);
  return !existsSync(folder) || !readdirSync(folder).some(isStart);
}
