import type { FeedEvent } from '../model/event.ts';
import type * as port from '../model/ports/audit-queries.ts';
import type { Database } from './database.ts';
import { feedEventOf, isAuditEvent } from './feed.ts';

/** The audit: what is told about sessions, over all runs, oldest first. */
export class SqliteAuditQueries implements port.AuditQueries {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async events(
    { since, session, types }: port.AuditFilter,
    afterSeq: number,
    limit: number,
  ): Promise<readonly FeedEvent[]> {
    const rows = this.#db.all(
      `select * from events where seq > ? and ${isAuditEvent} and at >= ?
         and (? is null or json_extract(body, '$.session') = ?)
         and (? is null or type in (select value from json_each(?)))
       order by seq limit ?`,
      afterSeq,
      since,
      session,
      session,
      types === null ? null : '',
      JSON.stringify(types ?? []),
      limit,
    );
    return rows.map(feedEventOf);
  }

  /** Whether somebody should write the audit: there is something it has not seen, or too much to look past each time. */
  async isBehind(): Promise<boolean> {
    const seen = Number(this.#db.get(`select seq from cursors where name = 'audit'`)?.['seq'] ?? 0);
    const last = Number(this.#db.get('select max(seq) as seq from events')?.['seq'] ?? 0);
    if (last - seen > tooFar) return true;
    const some = this.#db.get(`select 1 from events where seq > ? and ${isAuditEvent} limit 1`, seen);
    return some !== undefined;
  }
}

const tooFar = 1000;
