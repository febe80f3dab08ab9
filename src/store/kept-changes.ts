import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { digestText } from '../lib/digest.ts';
import { Redactor } from '../lib/redact.ts';
import type { Lineage } from '../model/ports/recovery-records.ts';
import type { BackupFolder } from './backup-folder.ts';
import { Database } from './database.ts';

/** One transaction, as SQLite describes it to another database. */
export interface Change {
  readonly number: number;
  /** When it was made (wall clock). */
  readonly at: number;
  /** Format of the database at that time. */
  readonly format: number;
  readonly patch: Uint8Array;
}

/** A line begins with a line break of its own, so that a torn one before it spoils nothing but itself. */
export function changeLine({ number: n, at, format, patch }: Change): string {
  const content = `${format} ${Math.round(at)} ${Buffer.from(patch).toString('base64')} ${n}`;
  return `\n${digestText(content)} ${content}\n`;
}

/** Stands for a change that could not be kept. */
export function missingLine(n: number): string {
  return `\nmissing ${n}!\n`;
}

/** The complete changes of a log by number; the last one with a number counts. */
export function readChanges(path: string): ReadonlyMap<number, Change> {
  const changes = new Map<number, Change>();
  for (const line of linesOf(path)) {
    const [, sum, content, ...members] = /^([\da-f]+) ((\d+) (\d+) (\S*) (\d+))$/.exec(line) ?? [];
    if (content === undefined || digestText(content) !== sum) continue;
    const [format, at, patch, n] = members;
    changes.set(Number(n), {
      number: Number(n),
      at: Number(at),
      format: Number(format),
      patch: Buffer.from(patch ?? '', 'base64'),
    });
  }
  return changes;
}

/** Numbers of the changes of which a log says that they could not be kept. */
export function readMissing(path: string): readonly number[] {
  return linesOf(path).flatMap((line) => {
    const [, n] = /^missing (\d+)!$/.exec(line) ?? [];
    return n === undefined ? [] : [Number(n)];
  });
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'latin1').split('\n');
  } catch {
    return [];
  }
}

const tailBytes = 32;

/** Number of the last change in a log, from its last bytes only; null: there is none, or it is torn. */
export function lastChange(path: string): number | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    const tail = Buffer.alloc(tailBytes);
    const from = Math.max(0, fstatSync(descriptor).size - tailBytes);
    const read = readSync(descriptor, tail, 0, tailBytes, from);
    const [, last] = / (\d+)\n$/.exec(tail.toString('latin1', 0, read)) ?? [];
    return last === undefined ? null : Number(last);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Number of the last change that is kept, by the end of the newest log: the changes before it were complete when it was
 * appended. Cheap where the log of this lineage has begun.
 */
export function lastKept(folder: BackupFolder, { id, backup }: Pick<Lineage, 'id' | 'backup'>): number {
  const last = lastChange(folder.changes({ id, backup }));
  if (last !== null) return last;
  const copies = folder.copies(id).filter((copy) => copy <= backup);
  let highest = changesInNewest(folder, id, copies)?.changes ?? 0;
  for (const log of folder.logs(id).filter((one) => one <= backup)) {
    for (const n of readChanges(folder.changes({ id, backup: log })).keys()) highest = Math.max(highest, n);
  }
  return highest;
}

/**
 * Number of the change up to which the database can be restored: from its newest sound copy, as far as the changes after it
 * follow each other. Null: nothing usable is kept. Reads everything that is kept since that copy.
 */
export function restorableUpTo(folder: BackupFolder, id: string): number | null {
  const logs = folder.logs(id);
  const base = changesInNewest(folder, id, folder.copies(id));
  if (base === null && !logs.includes(0)) return null;
  const kept = new Set(
    logs
      .filter((log) => log >= (base?.copy ?? 0))
      .flatMap((log) => [...readChanges(folder.changes({ id, backup: log })).keys()]),
  );
  let reached = base?.changes ?? 0;
  while (kept.has(reached + 1)) reached += 1;
  return reached;
}

/** The newest of these copies that can be read, with the number of its last change. */
function changesInNewest(
  folder: BackupFolder,
  id: string,
  copies: readonly number[],
): { readonly copy: number; readonly changes: number } | null {
  for (const copy of copies) {
    const changes = changesInCopy(folder.copy({ id, backup: copy }));
    if (changes !== null) return { copy, changes };
  }
  return null;
}

function changesInCopy(path: string): number | null {
  try {
    using db = new Database(path, new Redactor([]));
    db.exec('pragma query_only=on');
    if (db.get('pragma quick_check(1)')?.['quick_check'] !== 'ok') return null;
    const named = db.get(`select 1 from sqlite_schema where name = 'lineage'`) !== undefined;
    return named ? Number(db.get('select changes from lineage')?.['changes'] ?? 0) : 0;
  } catch {
    return null;
  }
}
