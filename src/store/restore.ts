import { copyFileSync, rmSync, statSync } from 'node:fs';
import { Redactor } from '../lib/redact.ts';
import type { Lineage } from '../model/ports/recovery-records.ts';
import type { BackupFolder } from './backup-folder.ts';
import { lineageOf } from './change-log.ts';
import { Database, upgrade, versionOf } from './database.ts';
import { unsoundness } from './inspect.ts';
import { type Change, readChanges, readMissing } from './kept-changes.ts';
import { migrations } from './migrations.ts';

export interface Restored {
  /** When the copy was made; null: there was none, and the changes begin with the first. */
  readonly copiedAt: number | null;
  /** Transactions after the copy that were made again. */
  readonly changes: number;
  /** The instant that the restored database shows. */
  readonly asOf: number;
  /** Transactions that were made later and cannot be made again, because one before them was not kept. */
  readonly missing: number;
}

/** The files that SQLite keeps for one database. */
export function databaseFiles(path: string): readonly string[] {
  return [path, `${path}-wal`, `${path}-shm`];
}

/**
 * Writes the newest database that can be made from copies and changes to a file that does not exist. Null: nothing usable
 * is kept. A copy that cannot be read, or a result that is not sound, leads to the copy before it. `own`: the database that
 * counts before all others; null: the one that was written last does.
 */
export function restore(
  folder: BackupFolder,
  target: string,
  own: string | null = null,
  known = migrations,
): Restored | null {
  // Of a database that came later and of which no copy can be read.
  let lost = 0;
  const lineages = folder.lineages();
  for (const id of [...lineages.filter((one) => one === own), ...lineages.filter((one) => one !== own)]) {
    const restored = restoreOne(folder, id, target, known);
    if (restored !== null) return { ...restored, missing: restored.missing + lost };
    lost += changesOf(folder, id, 0).size;
  }
  return null;
}

/** The same for one database of this name. */
export function restoreOne(
  folder: BackupFolder,
  id: string,
  target: string,
  known = migrations,
): Restored | null {
  const first = folder.logs(id).includes(0) ? [null] : [];
  for (const backup of [...folder.copies(id), ...first]) {
    try {
      return restoreFrom(folder, { id, backup }, target, known);
    } catch {
      for (const file of databaseFiles(target)) rmSync(file, { force: true });
    }
  }
  return null;
}

/**
 * Writes a sound database that is old to the file instead, if what was restored there is older still. Returns what the file
 * holds then.
 */
export function keepNewer(current: string, target: string, restored: Restored | null): Restored | null {
  const mine = readPosition(current);
  const other = restored === null ? null : readPosition(target);
  const isSame = other !== null && other.id === mine.id;
  if (isSame && other.changes - (restored?.missing ?? 0) >= mine.changes) return restored;
  const latest = isSame ? other.changes : mine.changes;
  for (const file of databaseFiles(target)) rmSync(file, { force: true });
  {
    using db = new Database(current, new Redactor([]));
    db.run('vacuum into ?', target);
  }
  using db = new Database(target, new Redactor([]));
  db.run('update lineage set changes = ?, backup = backup + 1', latest);
  return { copiedAt: null, changes: 0, asOf: mine.asOf, missing: latest - mine.changes };
}

function readPosition(path: string): Lineage & { readonly asOf: number } {
  using db = new Database(path, new Redactor([]));
  return { ...lineageOf(db), asOf: Number(db.get('select max(at) as at from events')?.['at'] ?? 0) };
}

/** `backup` null: from an empty database. */
interface Base {
  readonly id: string;
  readonly backup: number | null;
}

function restoreFrom(folder: BackupFolder, base: Base, target: string, known: readonly string[]): Restored {
  const copy = base.backup === null ? null : folder.copy({ id: base.id, backup: base.backup });
  if (copy !== null) copyFileSync(copy, target);
  const copiedAt = copy === null ? null : statSync(copy).mtimeMs;
  const changes = changesOf(folder, base.id, base.backup ?? 0);
  const highest = Math.max(0, ...changes.keys(), ...notKept(folder, base.id, base.backup ?? 0));
  using db = new Database(target, new Redactor([]));
  if (copy === null) begin(db, base.id, known, changes.get(1));
  const from = versionOf(db) < lineageFormat(known) ? 0 : lineageOf(db).changes;
  const last = applyFrom(db, from, changes, known);
  upgrade(db, known);
  const reached = last?.number ?? from;
  const latest = Math.max(reached, highest);
  const next = Math.max(...folder.copies(base.id), ...folder.logs(base.id), 0) + 1;
  // Numbers are never given twice, so that what could not be made again is not mistaken for what comes next.
  db.run('update lineage set changes = ?, backup = ?', latest, next);
  const problem = unsoundness(db);
  if (problem !== null) throw new Error(problem);
  db.exec('pragma journal_mode=delete');
  return {
    copiedAt,
    changes: reached - from,
    asOf: last?.at ?? copiedAt ?? 0,
    missing: latest - reached,
  };
}

/** By number; a later log counts before an earlier one. */
function changesOf(folder: BackupFolder, id: string, from: number): ReadonlyMap<number, Change> {
  const logs = folder.logs(id).filter((log) => log >= from);
  return new Map(logs.flatMap((backup) => [...readChanges(folder.changes({ id, backup }))]));
}

/** Numbers of changes that are known to have been made, without more. */
function notKept(folder: BackupFolder, id: string, from: number): readonly number[] {
  const logs = folder.logs(id).filter((log) => log >= from);
  return logs.flatMap((backup) => readMissing(folder.changes({ id, backup })));
}

function begin(db: Database, id: string, known: readonly string[], first: Change | undefined): void {
  if (first === undefined) throw new Error('the first change was not kept');
  upgrade(db, known.slice(0, first.format));
  db.run('update lineage set id = ?', id);
}

/** The first format whose databases have a name. */
function lineageFormat(known: readonly string[]): number {
  return known.findIndex((migration) => migration.includes('create table lineage')) + 1;
}

/** Makes the changes after a number again, as far as they follow each other. Returns the last. */
function applyFrom(
  db: Database,
  from: number,
  changes: ReadonlyMap<number, Change>,
  known: readonly string[],
): Change | null {
  let last: Change | null = null;
  let format = versionOf(db);
  db.exec('begin');
  for (let n = from + 1; ; n += 1) {
    const change = changes.get(n);
    if (change === undefined) break;
    if (change.format > known.length) throw new Error('it was written by a newer tutti');
    if (change.format > format) {
      db.exec('commit');
      upgrade(db, known.slice(0, change.format));
      format = change.format;
      db.exec('begin');
    }
    db.applyChanges(change.patch);
    last = change;
  }
  db.exec('commit');
  return last;
}
