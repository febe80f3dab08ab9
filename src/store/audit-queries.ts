import type { FeedEvent, AuditEvent } from '../model/event.ts';
import type { Database } from './database.ts';
import { feedEventOf, isAuditEvent } from './feed.ts';

export interface AuditFilter {
  /** Not before this instant. */
  readonly since: number;
  readonly session: string | null;
  /** Of these kinds; null is all. */
  readonly types: readonly AuditEvent['type'][] | null;
}

/** The audit: what is told about sessions, over all runs, oldest first. */
export class AuditQueries {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Given one after another: a project that has been used for years has many. */
  *events({ since, session, types }: AuditFilter, atOnce = 1000): Generator<FeedEvent> {
    let seen = 0;
    for (;;) {
      const rows = this.#db.all(
        `select * from events where seq > ? and ${isAuditEvent} and at >= ?
           and (? is null or json_extract(body, '$.session') = ?)
           and (? is null or type in (select value from json_each(?)))
         order by seq limit ?`,
        seen,
        since,
        session,
        session,
        types === null ? null : '',
        JSON.stringify(types ?? []),
        atOnce,
      );
      for (const row of rows) yield feedEventOf(row);
      if (rows.length < atOnce) return;
      seen = Number(rows.at(-1)?.['seq']);
    }
  }

  /** Whether somebody should write the audit: there is something it has not seen, or too much to look past each time. */
  isBehind(): boolean {
    const seen = Number(this.#db.get(`select seq from cursors where name = 'audit'`)?.['seq'] ?? 0);
    const last = Number(this.#db.get('select max(seq) as seq from events')?.['seq'] ?? 0);
    if (last - seen > tooFar) return true;
    const some = this.#db.get(`select 1 from events where seq > ? and ${isAuditEvent} limit 1`, seen);
    return some !== undefined;
  }
}

const tooFar = 1000;
