import { recorded } from '../lib/json.ts';
import { probe } from '../lib/probe.ts';
import type { ChangeLog } from './change-log.ts';
import type { Database } from './database.ts';
import { StoreUnavailable } from '../model/ports/store-unavailable.ts';

interface Waiting {
  readonly op: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How often a transaction is tried for which another process holds the database; each try waits for `busyMs`. */
const maxTries = 10;

/**
 * Group commit: transitions asked for in the same turn of the event loop share one transaction, and so one fsync. Each is
 * still all or nothing by itself (a savepoint), and none is reported before it is durable.
 */
export class Batch {
  readonly #db: Database;
  readonly #schedule: (flush: () => void) => void;
  readonly #log: ChangeLog | null;
  #waiting: Waiting[] = [];
  #tries = 0;

  constructor(db: Database, schedule: (flush: () => void) => void, log: ChangeLog | null) {
    this.#db = db;
    this.#schedule = schedule;
    this.#log = log;
  }

  write<T>(op: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const first = this.#waiting.length === 0;
      this.#waiting.push({ op, resolve: (value) => resolve(recorded<T>(value)), reject });
      if (first) this.#schedule(() => this.#flush());
    });
  }

  #flush(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    let answers: (() => void)[];
    try {
      probe('commit:before');
      this.#db.assertInPlace();
      if (!this.#begin()) {
        // Between two tries this process hears signals: waiting for a lock must not keep it from stopping.
        this.#waiting = [...batch, ...this.#waiting];
        this.#schedule(() => this.#flush());
        return;
      }
      try {
        using changes = this.#log?.record() ?? null;
        answers = batch.map((one) => this.#attempt(one));
        changes?.keep();
        this.#db.run('commit');
      } catch (error) {
        this.#undo('rollback');
        throw error;
      }
      probe('commit:after');
    } catch (error) {
      answers = batch.map((one) => () => {
        one.reject(error);
      });
    }
    for (const answer of answers) answer();
  }

  /** False: another process holds the database, and it is worth another try. */
  #begin(): boolean {
    this.#tries += 1;
    try {
      this.#db.run('begin immediate');
    } catch (error) {
      if (error instanceof StoreUnavailable && error.isLocked && this.#tries < maxTries) return false;
      this.#tries = 0;
      throw error;
    }
    this.#tries = 0;
    return true;
  }

  #attempt({ op, resolve, reject }: Waiting): () => void {
    this.#db.run('savepoint one');
    try {
      const value = op();
      this.#db.run('release one');
      return () => {
        resolve(value);
      };
    } catch (error) {
      // Nothing to go back to: SQLite gave up the whole transaction, and this error says why.
      if (!this.#undo('rollback to one; release one')) throw error;
      return () => {
        reject(error);
      };
    }
  }

  /** On a full or broken disk SQLite has already rolled back, and a second time is an error that would hide the first. */
  #undo(sql: string): boolean {
    try {
      this.#db.exec(sql);
      return true;
    } catch {
      return false;
    }
  }
}
