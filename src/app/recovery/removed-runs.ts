import { lineageOf } from '../../store/change-log.ts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bringRunsBack, compareRuns, type KeptRuns } from '../../store/bring-back.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { databaseFiles, restoreOne } from '../../store/restore.ts';
import { backupFolderOf } from '../open-store.ts';
import type { Tutti } from '../tutti.ts';

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
  const backups = backupFolderOf(paths, env);
  const target = join(paths.state, 'removed.db');
  const clear = (): void => {
    for (const file of databaseFiles(target)) rmSync(file, { force: true });
  };
  const own = lineageOf(db).id;
  return backups
    .lineages()
    .filter((id) => id !== own)
    .flatMap((id) => {
      clear();
      try {
        if (restoreOne(backups, id, target) === null) return [];
        using removed = openDatabase(target, () => null);
        return [use(db, removed)];
      } finally {
        clear();
      }
    });
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
