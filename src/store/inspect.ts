import { statSync } from 'node:fs';
import { Redactor } from '../lib/redact.ts';
import type { BackupFolder } from './backup-folder.ts';
import { lineageOf } from './change-log.ts';
import { Database, versionOf } from './database.ts';
import { lastChange } from './kept-changes.ts';
import { text } from './rows.ts';

/** What is wrong with the content of a database; null: all of it can be read. */
export function unsoundness(db: Database): string | null {
  const found = db.get('pragma integrity_check')?.['integrity_check'];
  if (found !== 'ok') return `it is malformed: ${String(found)}`;
  const tables = db.all(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`);
  for (const table of tables) {
    const name = text(table, 'name');
    const columns = db.all(`select name from pragma_table_info(?) where lower(type) = 'text'`, name);
    // SQLite does not look into values. No text of ours has a zero byte; a page that was wiped has nothing else.
    const wiped = columns.map((column) => `instr(cast("${text(column, 'name')}" as blob), x'00') > 0`);
    if (wiped.length === 0) continue;
    const row = db.get(`select 1 from "${name}" where ${wiped.join(' or ')} limit 1`);
    if (row !== undefined) return `it is malformed: values of ${name} were wiped`;
  }
  return null;
}

/** Whether transactions were made after the last one that this database knows: it is an old copy. */
export function isBehind(db: Database, folder: BackupFolder): boolean {
  const { id } = lineageOf(db);
  const newest = folder.logs(id).at(-1);
  if (newest === undefined) return false;
  const last = lastChange(folder.changes({ id, backup: newest })) ?? 0;
  // Looked at after the log, because other processes write: only the transaction that is being committed may be missing.
  return last > lineageOf(db).changes + 1;
}

/** Whether it has a run or a session of this id. */
export function knowsId(db: Database, id: string): boolean {
  const found = 'select 1 from runs where id = ? union all select 1 from sessions where id = ?';
  return db.get(found, id, id) !== undefined;
}

/** Whether it has no row about a run, a session or a plan. */
export function isEmptied(db: Database): boolean {
  const found = 'select 1 from runs union all select 1 from sessions union all select 1 from plans limit 1';
  return db.get(found) === undefined;
}

/** Of a database file that is not open. */
export type FileState = 'missing' | 'empty' | 'damaged' | 'behind' | 'sound';

export function inspectFile(path: string, folder: BackupFolder): FileState {
  const size = fileSize(path);
  if (size === null) return 'missing';
  if (size === 0) return 'empty';
  try {
    using db = new Database(path, new Redactor([]));
    if (db.get('select 1 from sqlite_schema limit 1') === undefined) return 'empty';
    if (unsoundness(db) !== null) return 'damaged';
    const named = db.get(`select 1 from sqlite_schema where name = 'lineage'`) !== undefined;
    return named && versionOf(db) > 0 && isBehind(db, folder) ? 'behind' : 'sound';
  } catch {
    return 'damaged';
  }
}

/** Null: there is no such file. */
export function fileSize(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}
