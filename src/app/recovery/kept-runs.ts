import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupFolder } from '../../store/backup-folder.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { text } from '../../store/rows.ts';
import { databaseFiles, restoreOne } from '../../store/restore.ts';
import { backupFolderOf } from '../open-store.ts';
import type { OpenedProject } from '../opened-project.ts';

/** Reads each database that something is kept of except `own`, the one that was written last first. `target`: a file for it, which is removed. */
export function readKept<T>(
  backups: BackupFolder,
  { own, target }: { readonly own: string | null; readonly target: string },
  read: (db: Database) => T,
): readonly T[] {
  const clear = (): void => {
    for (const file of databaseFiles(target)) rmSync(file, { force: true });
  };
  return backups
    .lineages()
    .filter((id) => id !== own)
    .flatMap((id) => {
      clear();
      try {
        if (restoreOne(backups, id, target) === null) return [];
        using db = openDatabase(target, () => null);
        return [read(db)];
      } finally {
        clear();
      }
    });
}

/** A run of a state that was removed, as its copies have it. */
export interface KeptRun {
  readonly id: string;
  /** Whether it had neither ended nor halted, and would continue once it is restored. */
  readonly isUnderWay: boolean;
  readonly startedAt: number;
}

/**
 * Runs that a person or agent started in a state that was removed from the project, as `tutti recover` restores them. `own`: the
 * name of the project's database; null: it has none.
 */
export function findKeptRuns(
  { paths, env }: Pick<OpenedProject, 'paths' | 'env'>,
  own: string | null,
): readonly KeptRun[] {
  const backups = backupFolderOf(paths, env);
  const target = join(backups.path, `reading-${process.pid}.db`);
  const found = new Map<string, KeptRun>();
  readKept(backups, { own, target }, (db) => {
    for (const row of db.all(
      'select id, state, cancelled, started_at from runs where parent_run is null order by ordinal',
    )) {
      const id = text(row, 'id');
      const isUnderWay = ['running', 'halting'].includes(text(row, 'state')) && row['cancelled'] === 0;
      // The newest is the one that is restored.
      if (!found.has(id)) found.set(id, { id, isUnderWay, startedAt: Number(row['started_at']) });
    }
  });
  return [...found.values()];
}
