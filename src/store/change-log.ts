import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { digestText } from '../lib/digest.ts';
import { appendText, makePrivateFolder } from '../lib/atomic-file.ts';
import type { Lineage } from '../model/ports/recovery-records.ts';
import type { BackupFolder } from './backup-folder.ts';
import { type Database, versionOf } from './database.ts';
import { number, text } from './rows.ts';

/** One transaction, as SQLite describes it to another database. */
export interface Change {
  readonly number: number;
  /** When it was made (wall clock). */
  readonly at: number;
  /** Format of the database at that time. */
  readonly format: number;
  readonly patch: Uint8Array;
}

export function lineageOf(db: Database): Lineage {
  const row = db.get('select id, changes, backup from lineage') ?? {};
  return { id: text(row, 'id'), changes: number(row, 'changes'), backup: number(row, 'backup') };
}

/**
 * Keeps every transaction of a database a second time, outside the project: together with the copy before it, the log is
 * the whole database. A transaction is appended before it is committed and while no other process can write, so the log is
 * in order and never behind. It may hold one that was not committed; the next with the same number replaces it.
 */
export class ChangeLog {
  readonly #db: Database;
  readonly #folder: BackupFolder;
  readonly #format: number;
  readonly #now: () => number;

  constructor(db: Database, folder: BackupFolder, now: () => number) {
    this.#db = db;
    this.#folder = folder;
    this.#format = versionOf(db);
    this.#now = now;
  }

  /** Records what one transaction changes. */
  record(): Disposable & { keep(): void } {
    const recording = this.#db.recordChanges();
    return {
      keep: () => {
        const patch = recording.patchset();
        if (patch.length > 0) this.#append(patch);
      },
      [Symbol.dispose]: () => {
        recording.close();
      },
    };
  }

  #append(patch: Uint8Array): void {
    const row = this.#db.get('update lineage set changes = changes + 1 returning id, changes, backup') ?? {};
    const path = this.#folder.changes({ id: text(row, 'id'), backup: number(row, 'backup') });
    try {
      appendChange(path, { number: number(row, 'changes'), at: this.#now(), format: this.#format, patch });
    } catch {
      // The database is the truth and has room: a second record that cannot be written stops no run. Recovery sees the gap.
    }
  }
}

/** A line begins with a line break of its own, so that a torn one before it spoils nothing but itself. */
function appendChange(path: string, { number: n, at, format, patch }: Change): void {
  const content = `${format} ${Math.round(at)} ${Buffer.from(patch).toString('base64')} ${n}`;
  const line = `\n${digestText(content)} ${content}\n`;
  try {
    appendText(path, line);
  } catch {
    makePrivateFolder(dirname(path));
    appendText(path, line);
  }
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
