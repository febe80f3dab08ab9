import { recorded } from '../lib/json.ts';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { constants, DatabaseSync, type Session, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { makePrivateFolder } from '../lib/atomic-file.ts';
import { pauseThread } from '../lib/pause.ts';
import { Redactor } from '../lib/redact.ts';
import { dirname, join } from 'node:path';
import { type BackupFolder, unnamed } from './backup-folder.ts';
import { StoreUnavailable } from '../model/ports/store-unavailable.ts';
import { storeUnavailable } from './errors.ts';
import { migrations } from './migrations.ts';

/** No column holds bytes. */
export type Row = Readonly<Record<string, string | number | null>>;

/** A row as the list of its columns, in the order they were selected. */
export type Columns = readonly (string | number | null)[];

/** A database that is gone with its connection. */
export const inMemory = ':memory:';

/** How long one try waits for another process's transaction, with this process deaf meanwhile. */
const busyMs = 1000;
/** Opening may wait longer: another process may create or upgrade the file at the same moment. */
const openMs = 10_000;

/** One connection: prepared statements kept, errors made into sentences. */
export class Database implements Disposable {
  readonly path: string;
  /** What it writes passes here. */
  readonly redactor: Redactor;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #lists = new Map<string, StatementSync>();
  /** Which file it is, whatever has its name later. */
  readonly #file: string | null;

  constructor(path: string, redactor: Redactor) {
    this.path = path;
    this.redactor = redactor;
    this.#db = this.#guard(() => new DatabaseSync(path));
    this.#file = fileAt(path);
  }

  get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#guard(() => recorded<Row | undefined>(this.#prepare(sql).get(...values)));
  }

  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#guard(() => recorded<readonly Row[]>(this.#prepare(sql).all(...values)));
  }

  /** Where thousands of rows are read, or one row a thousand times: a list costs about half of an object. */
  lists(sql: string, ...values: readonly SQLInputValue[]): readonly Columns[] {
    return this.#guard(() => {
      const rows = this.#prepareLists(sql).all(...values);
      // Before Node 22.16 a statement knows objects only; their members have the same order.
      const lists =
        rows.length === 0 || Array.isArray(rows[0]) ? rows : rows.map((row) => Object.values(row));
      return recorded<readonly Columns[]>(lists);
    });
  }

  /** Number of rows that changed. */
  run(sql: string, ...values: readonly SQLInputValue[]): number {
    return this.#guard(() => Number(this.#prepare(sql).run(...values).changes));
  }

  exec(sql: string): void {
    this.#guard(() => {
      this.#db.exec(sql);
    });
  }

  /** Whether the file that it opened still has its name: SQLite would go on with one that was removed. */
  isInPlace(): boolean {
    return fileAt(this.path) === this.#file;
  }

  assertInPlace(): void {
    if (this.isInPlace()) return;
    const why = new Error('it was removed or replaced while this process used it');
    throw storeUnavailable(this.path, why, 'restore what was recorded: tutti recover');
  }

  /**
   * Another connection, which sees the state as it is now until it is closed and changes nothing. Writers do not wait for it. A
   * database in memory has one connection, so its state is copied.
   */
  pinned(): Database {
    if (this.path === inMemory) return this.#copied();
    const pinned = new Database(this.path, this.redactor);
    try {
      // A transaction sees the state that its first read finds.
      pinned.exec(`pragma busy_timeout=${busyMs}; pragma query_only=on; begin`);
      pinned.get('select 1 from runs limit 1');
      return pinned;
    } catch (error) {
      pinned[Symbol.dispose]();
      throw error;
    }
  }

  #copied(): Database {
    const folder = mkdtempSync(join(tmpdir(), 'tutti-snapshot-'));
    try {
      const path = join(folder, 'copy.db');
      this.run('vacuum into ?', path);
      const copy = new Database(path, this.redactor);
      // Opened by its first read; an open file may lose its name.
      copy.get('select 1 from runs limit 1');
      return copy;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** Watches what this connection changes from now on. */
  recordChanges(): Session {
    return this.#guard(() => this.#db.createSession());
  }

  /** Makes the changes of a transaction that another file saw. Where a row is not what it was there, the change counts. */
  applyChanges(patch: Uint8Array): void {
    const { SQLITE_CHANGESET_DATA, SQLITE_CHANGESET_CONFLICT } = constants;
    const { SQLITE_CHANGESET_REPLACE, SQLITE_CHANGESET_OMIT } = constants;
    const onConflict = (type: number): number =>
      type === SQLITE_CHANGESET_DATA || type === SQLITE_CHANGESET_CONFLICT
        ? SQLITE_CHANGESET_REPLACE
        : SQLITE_CHANGESET_OMIT;
    this.#guard(() => {
      this.#db.applyChangeset(patch, { onConflict });
    });
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.#lists.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #prepareLists(sql: string): StatementSync {
    let statement = this.#lists.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      if ('setReturnArrays' in statement) statement.setReturnArrays(true);
      this.#lists.set(sql, statement);
    }
    return statement;
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeUnavailable(this.path, error);
    }
  }
}

function fileAt(path: string): string | null {
  if (path === inMemory) return null;
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}

/** Opens the file, creates or migrates it, and refuses one that a newer program wrote. */
export function openDatabase(
  path: string,
  inUse: (db: Database) => string | null,
  known: readonly string[] = migrations,
  redactor = new Redactor([]),
  backups: BackupFolder | null = null,
): Database {
  const memory = path === inMemory;
  if (!memory) makePrivateFolder(dirname(path));
  const fresh = memory || !existsSync(path);
  const db = new Database(path, redactor);
  try {
    db.exec(`pragma busy_timeout=${openMs}`);
    keepLog(db);
    db.exec('pragma synchronous=full');
    // A log that grows makes its every sync dearer (the file system records the new size too), and it grows until the
    // first checkpoint. With SQLite's own 1000 pages a short run would never see the cheap part.
    db.exec('pragma wal_autocheckpoint=500;');
    if (!memory && fresh) chmodSync(path, 0o600);
    migrate(db, inUse, known, backups);
    db.exec(`pragma busy_timeout=${busyMs}`);
    return db;
  } catch (error) {
    db[Symbol.dispose]();
    throw error;
  }
}

/**
 * The first process that opens a new file turns it into one with a log. To others that try at the same moment SQLite
 * says at once that it is locked, without the wait that was asked for.
 */
function keepLog(db: Database): void {
  const deadline = performance.now() + openMs;
  for (;;) {
    try {
      db.exec('pragma journal_mode=wal');
      return;
    } catch (error) {
      const isWorthAnother =
        error instanceof StoreUnavailable && error.isLocked && performance.now() < deadline;
      if (!isWorthAnother) throw error;
    }
    pauseThread(10);
  }
}

function migrate(
  db: Database,
  inUse: (db: Database) => string | null,
  known: readonly string[],
  backups: BackupFolder | null,
): void {
  const found = versionOf(db);
  if (found === known.length) return;
  if (found > known.length) {
    throw storeUnavailable(
      db.path,
      new Error(`it was written by a newer tutti (format ${found}, this program knows ${known.length})`),
      'upgrade with: npm install -g tutti@latest',
    );
  }
  if (found > 0) {
    const user = inUse(db);
    if (user !== null) {
      throw storeUnavailable(
        db.path,
        new Error(`it must be upgraded, but ${user} still uses it`),
        'stop that process first: tutti stop --all',
      );
    }
  }
  if (found > 0 && backups !== null) {
    const { id } = backUp(db, backups);
    upgrade(db, known);
    // The copy before it has no name by which the changes that come now would be found.
    if (id === unnamed) backUp(db, backups);
  } else upgrade(db, known);
}

/** Brings a database to the format of these migrations. */
export function upgrade(db: Database, known: readonly string[]): void {
  db.exec('begin immediate');
  try {
    // Somebody else may have been faster while we waited for the lock.
    for (const migration of known.slice(versionOf(db))) db.exec(migration);
    db.exec(`pragma user_version=${known.length}`);
    db.exec('commit');
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}

/** Before an upgrade, which may go wrong in ways that its transaction does not see. */
function backUp(db: Database, backups: BackupFolder): { readonly id: string } {
  const lineage = nextBackup(db);
  db.run('vacuum into ?', backups.begin(lineage));
  backups.finish(lineage, Date.now());
  return lineage;
}

/** Changes that come later belong to the next copy. Must be called where no other process writes. */
export function nextBackup(db: Database): { readonly id: string; readonly backup: number } {
  const named = db.get(`select 1 from sqlite_schema where type = 'table' and name = 'lineage'`) !== undefined;
  if (!named) return { id: unnamed, backup: 0 };
  const row = db.get('update lineage set backup = backup + 1 returning id, backup') ?? {};
  return { id: String(row['id']), backup: Number(row['backup']) };
}

export function versionOf(db: Database): number {
  return Number(db.get('pragma user_version')?.['user_version'] ?? 0);
}
