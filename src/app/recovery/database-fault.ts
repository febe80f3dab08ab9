import { existsSync, opendirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isSafeId } from '../../lib/ids.ts';
import { findAsync } from '../../lib/async-list.ts';
import type { RecoveryRecords } from '../../model/ports/recovery-records.ts';
import { lineageOf } from '../../store/change-log.ts';
import { fileSize, isEmptied, knowsId } from '../../store/inspect.ts';
import type { SqliteStore } from '../../store/sqlite-store.ts';
import { turnRecordsFolder } from '../host/turn-record.ts';
import { isClosed, type ProjectPaths } from '../project.ts';
import { refusal, type Refusal } from '../refusal.ts';

type Paths = Pick<ProjectPaths, 'state' | 'database'>;

/** Whether the project was used before: it has a database, or what only a project with one can have. */
export function wasUsed(paths: Paths): boolean {
  return existsSync(paths.database) || hasWork(paths) || isClosed(paths.state);
}

/** Whether there is a database that was written; a missing or empty one is made when it is opened. */
export function hasDatabase({ database }: Paths): boolean {
  return (fileSize(database) ?? 0) > 0;
}

/**
 * Why no database may be made here, where runs would be forgotten for it; null: it is there, or nothing tells of runs.
 * `isKept`: whether copies or changes are kept of the database that this state had.
 */
export function faultBeforeOpening(paths: Paths, isKept: () => boolean): Refusal | null {
  if (hasDatabase(paths)) return null;
  const what = fileSize(paths.database) === null ? 'missing' : 'empty';
  if (hasWork(paths)) {
    return faultOf(`${paths.database} is ${what}, but the runs, sessions or plans of this project are here`);
  }
  return isKept() ? faultOf(`${paths.database} is ${what}, but its runs are kept`) : null;
}

/**
 * Why a database that can be opened is not the project's; null: nothing speaks against it. `bound` is the name of the database
 * that the project had; null: it is not known.
 */
export function faultOfOpened(paths: Paths, store: SqliteStore, bound: string | null): Refusal | null {
  if (bound !== null && lineageOf(store.db).id !== bound) {
    if (isEmptied(store.db)) return faultOf(`${paths.database} is empty: it lacks the runs that it had here`);
    return faultOf(`${paths.database} is of another project: it is not the one that was used here before`);
  }
  if (store.isBehind()) {
    return faultOf(`${paths.database} is an old copy: later changes of this project were recorded`);
  }
  if (isOfAnother(paths, (id) => knowsId(store.db, id))) {
    return faultOf(`${paths.database} is of another project: it knows none of the runs and sessions here`);
  }
  return null;
}

/** Why a run may not be advanced: turns of it were launched that the database does not know. They would be paid again. */
export async function faultOfRun(
  paths: ProjectPaths,
  store: RecoveryRecords,
  runId: string,
): Promise<Refusal | null> {
  const folder = turnRecordsFolder(paths, runId);
  const ids = existsSync(folder) ? readdirSync(folder) : [];
  const unknown = await findAsync(
    ids.map((name) => name.replace(/\.json$/, '')),
    async (id) => isSafeId(id) && !(await store.knows(id)),
  );
  if (unknown === undefined) return null;
  return faultOf(`${paths.database} is an old copy: it does not know session ${unknown} of run ${runId}`);
}

function faultOf(message: string): Refusal {
  return refusal('UNAVAILABLE', message, 'restore it: tutti recover');
}

function hasWork({ state }: Paths): boolean {
  for (const folder of ['runs', 'sessions', 'plans']) {
    for (const name of namesIn(join(state, folder))) {
      // A person may write the files of a plan before anything was recorded; its state is written from the database.
      if (folder !== 'plans' || hasState(join(state, folder, name))) return true;
    }
  }
  return false;
}

/**
 * Whether there are runs or sessions, and the database knows none of them. The first that is known answers it, so that
 * thousands of folders cost nothing.
 */
export function isOfAnother({ state }: Pick<Paths, 'state'>, knows: (id: string) => boolean): boolean {
  let found = false;
  for (const folder of ['runs', 'sessions']) {
    for (const name of namesIn(join(state, folder))) {
      if (knows(name)) return false;
      // Anything may have left a folder here; only a run or a session has a state.
      found ||= hasState(join(state, folder, name));
    }
  }
  return found;
}

function hasState(folder: string): boolean {
  return existsSync(join(folder, 'state.json'));
}

function* namesIn(folder: string): Generator<string> {
  if (!existsSync(folder)) return;
  const entries = opendirSync(folder);
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      if (entry.isDirectory() && !entry.name.startsWith('.')) yield entry.name;
    }
  } finally {
    entries.closeSync();
  }
}
