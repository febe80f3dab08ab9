import { recorded } from '../lib/json.ts';
import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { makePrivateFolder } from '../lib/atomic-file.ts';
import { Redactor } from '../lib/redact.ts';
import { dirname } from 'node:path';
import { StoreUnavailable } from './errors.ts';
import { migrations } from './migrations.ts';

/** No column holds bytes. */
export type Row = Readonly<Record<string, string | number | null>>;

/** A row as the list of its columns, in the order they were selected. */
export type Columns = readonly (string | number | null)[];

/** A database that is gone with its connection. */
export const inMemory = ':memory:';

/** One connection: prepared statements kept, errors made into sentences. */
export class Database implements Disposable {
  readonly path: string;
  /** What it writes passes here. */
  readonly redactor: Redactor;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #lists = new Map<string, StatementSync>();

  constructor(path: string, redactor: Redactor) {
    this.path = path;
    this.redactor = redactor;
    this.#db = this.#guard(() => new DatabaseSync(path));
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
      throw new StoreUnavailable(this.path, error);
    }
  }
}

/** Opens the file, creates or migrates it, and refuses one that a newer program wrote. */
export function openDatabase(
  path: string,
  inUse: (db: Database) => string | null,
  known: readonly string[] = migrations,
  redactor = new Redactor([]),
): Database {
  const memory = path === inMemory;
  if (!memory) makePrivateFolder(dirname(path));
  const fresh = memory || !existsSync(path);
  const db = new Database(path, redactor);
  try {
    db.exec('pragma busy_timeout=10000; pragma journal_mode=wal; pragma synchronous=full;');
    // A log that grows makes its every sync dearer (the file system records the new size too), and it grows until the
    // first checkpoint. With SQLite's own 1000 pages a short run would never see the cheap part.
    db.exec('pragma wal_autocheckpoint=500;');
    if (!memory && fresh) chmodSync(path, 0o600);
    migrate(db, inUse, known);
    return db;
  } catch (error) {
    db[Symbol.dispose]();
    throw error;
  }
}

function migrate(db: Database, inUse: (db: Database) => string | null, known: readonly string[]): void {
  const found = versionOf(db);
  if (found === known.length) return;
  if (found > known.length) {
    throw new StoreUnavailable(
      db.path,
      new Error(`it was written by a newer tutti (format ${found}, this program knows ${known.length})`),
      'upgrade with: npm install -g tutti@latest',
    );
  }
  if (found > 0) {
    const user = inUse(db);
    if (user !== null) {
      throw new StoreUnavailable(
        db.path,
        new Error(`it must be upgraded, but ${user} still uses it`),
        'stop that process first: tutti stop --all',
      );
    }
    backUp(db, `${db.path}.backup-v${found}`);
  }
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

/** Complete or not there; one of an earlier upgrade that failed is replaced, because what we have is at least as new. */
function backUp(db: Database, path: string): void {
  const unfinished = `${path}.tmp.${process.pid}`;
  rmSync(unfinished, { force: true });
  db.exec(`vacuum into '${unfinished.replaceAll("'", "''")}'`);
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, path);
}

function versionOf(db: Database): number {
  return Number(db.get('pragma user_version')?.['user_version'] ?? 0);
}
