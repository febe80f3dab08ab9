import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { appendText, makePrivateFolder } from '../lib/atomic-file.ts';
import type { Lineage } from '../model/ports/recovery-records.ts';
import type { BackupFolder } from './backup-folder.ts';
import { copyCommitted } from './copy-database.ts';
import { type Database, versionOf } from './database.ts';
import { type Change, changeLine, lastKept, missingLine } from './kept-changes.ts';
import { number, text } from './rows.ts';

export function lineageOf(db: Database): Lineage {
  const row = db.get('select id, changes, backup from lineage') ?? {};
  return { id: text(row, 'id'), changes: number(row, 'changes'), backup: number(row, 'backup') };
}

/** How long a process waits before it tries again to copy a database that did not fit beside its copies. */
const copyAgainAfterMs = 60_000;

/**
 * Keeps every transaction of a database a second time, outside the project: together with the copy before it, the log is
 * the whole database. A transaction is appended before it is committed and while no other process can write, so the log is
 * in order and never behind. It may hold one that was not committed; the next with the same number replaces it.
 *
 * A log that could not be written for a while has a gap, and nothing after a gap can be restored. The first transaction that
 * finds one copies the whole database and begins a new log, in whatever process it is.
 */
export class ChangeLog {
  readonly #db: Database;
  readonly #folder: BackupFolder;
  readonly #format: number;
  readonly #now: () => number;
  #copyNotBefore = Number.NEGATIVE_INFINITY;

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
    const lineage = { id: text(row, 'id'), changes: number(row, 'changes'), backup: number(row, 'backup') };
    const change = { number: lineage.changes, at: this.#now(), format: this.#format, patch };
    try {
      const log = lastKept(this.#folder, lineage) < change.number - 1 ? this.#beginAgain(lineage) : lineage;
      appendChange(this.#folder.changes(log), change);
    } catch {
      // The database is the truth and has room: a second record that cannot be written stops no run. The next one sees the gap.
      noteMissing(this.#folder.changes(lineage), change.number);
    }
  }

  /** Copies what is committed: all transactions before this one. Returns the log that begins with this one. */
  #beginAgain({ id, backup }: Lineage): Pick<Lineage, 'id' | 'backup'> {
    if (this.#now() < this.#copyNotBefore) throw new Error('the last try was a moment ago');
    const next = { id, backup: backup + 1 };
    const unfinished = this.#folder.begin(next);
    try {
      copyCommitted(this.#db.path, unfinished);
    } catch (error) {
      this.#copyNotBefore = this.#now() + copyAgainAfterMs;
      rmSync(unfinished, { force: true });
      throw error;
    }
    this.#folder.finish(next, this.#now());
    this.#db.run('update lineage set backup = ?', next.backup);
    return next;
  }
}

function appendChange(path: string, change: Change): void {
  const line = changeLine(change);
  try {
    appendText(path, line);
  } catch {
    makePrivateFolder(dirname(path));
    appendText(path, line);
  }
}

/** So that a recovery can count what it lacks, where there is room for a line and none for a copy. */
function noteMissing(path: string, n: number): void {
  try {
    appendText(path, missingLine(n));
  } catch {
    // Then nothing can be kept here.
  }
}
