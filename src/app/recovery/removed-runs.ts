import { lineageOf } from '../../store/change-log.ts';
import { join } from 'node:path';
import { bringRunsBack, compareRuns, type KeptRuns } from '../../store/bring-back.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { backupFolderOf } from '../open-store.ts';
import type { Tutti } from '../tutti.ts';
import { readKept } from './kept-runs.ts';

/** Runs of a state that was removed from the project, and whose record is kept outside of it. */
export interface RemovedRuns extends KeptRuns {
  /** Those that were brought back and wait for `tutti resume`. */
  readonly halted: readonly string[];
  /** Whether they were brought back, or are only known to be kept. */
  readonly isBroughtBack: boolean;
  /** Where their record is kept. */
  readonly folder: string;
}

const haltReason = 'the state of the project was removed, and the run was brought back from its copies';

/** Changes nothing. */
export function findRemoved(tutti: Tutti): RemovedRuns {
  const found = eachRemoved(tutti, (db, removed) => ({ ...compareRuns(db, removed), halted: [] }));
  return joined(tutti, found, false);
}

/** Puts them beside the runs that the project has now. Repeating it is harmless. */
export function bringRemovedBack(tutti: Tutti): RemovedRuns {
  const backups = backupFolderOf(tutti.paths, tutti.env);
  const options = { backups, now: () => tutti.clock.wall(), reason: haltReason };
  const found = eachRemoved(tutti, (db, removed) => bringRunsBack(db, removed, options));
  return joined(tutti, found, true);
}

type Found = KeptRuns & Pick<RemovedRuns, 'halted'>;

/** The databases that were here before the project's own, the one that was written last first. */
function eachRemoved(
  { paths, env, redactor }: Tutti,
  use: (db: Database, removed: Database) => Found,
): readonly Found[] {
  using db = openDatabase(paths.database, () => null, undefined, redactor);
  const target = join(paths.state, 'removed.db');
  const own = lineageOf(db).id;
  return readKept(backupFolderOf(paths, env), { own, target }, (removed) => use(db, removed));
}

function joined({ paths, env }: Tutti, found: readonly Found[], isBroughtBack: boolean): RemovedRuns {
  const all = (member: keyof Found): readonly string[] => [...new Set(found.flatMap((one) => one[member]))];
  return {
    runs: all('runs'),
    sessions: all('sessions'),
    plans: all('plans'),
    taken: all('taken'),
    halted: all('halted'),
    isBroughtBack,
    folder: backupFolderOf(paths, env).path,
  };
}
