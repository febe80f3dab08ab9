import { recorded } from '../lib/json.ts';
import type * as port from '../model/ports/session-queries.ts';
import type {
  LaunchedSession,
  SessionFilter,
  SessionPage,
  SessionTotals,
  SpendingFilter,
  UnlaunchedSession,
} from '../model/ports/session-queries.ts';
import type { Session, SessionStatus } from '../model/session.ts';
import type { Database } from './database.ts';
import { entryColumnsWith, entryOf } from './entry-columns.ts';
import { number } from './rows.ts';
import { qualifiedSessionColumns, sessionColumnCount, sessionColumns, sessionOf } from './session-columns.ts';

/** What is read about sessions, newest first. */
export class SqliteSessionQueries implements port.SessionQueries {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async one(id: string): Promise<Session | null> {
    const [found] = this.#db.lists(`select ${sessionColumns} from sessions where id = ?`, id);
    return found === undefined ? null : sessionOf(found);
  }

  /** Those whose id begins with this text of letters, digits, `.`, `_` and `-`; at most `limit`. */
  async startingWith(prefix: string, limit: number): Promise<readonly Session[]> {
    return this.#db
      .lists(
        `select ${sessionColumns} from sessions where id >= ? and id < ? order by id limit ?`,
        prefix,
        // Above every character of an id.
        `${prefix}~`,
        limit,
      )
      .map(sessionOf);
  }

  async newest(): Promise<Session | null> {
    const [found] = this.#db.lists(
      `select ${sessionColumns} from sessions order by ordinal desc, created_at desc, id desc limit 1`,
    );
    return found === undefined ? null : sessionOf(found);
  }

  async ofRun(runId: string): Promise<readonly Session[]> {
    return this.#db
      .lists(`select ${sessionColumns} from sessions where run = ? order by ordinal, created_at, id`, runId)
      .map(sessionOf);
  }

  async list(filter: SessionFilter, { limit, before }: SessionPage): Promise<readonly Session[]> {
    const { where, values } = conditions(filter);
    const from = before === null ? null : await this.one(before);
    const place = '(ordinal, created_at, id)';
    const page =
      from === null ? '' : ` and ${place} < (select ordinal, created_at, id from sessions where id = ?)`;
    return this.#db
      .lists(
        `select ${sessionColumns} from sessions where ${where}${page} order by ordinal desc, created_at desc, id desc limit ?`,
        ...values,
        ...(from === null ? [] : [from.id]),
        limit ?? -1,
      )
      .map(sessionOf);
  }

  /** How many there are in each state. */
  async totals(filter: SessionFilter): Promise<SessionTotals> {
    const { where, values } = conditions(filter);
    const rows = this.#db.all(
      `select status, count(*) as n from sessions where ${where} group by status`,
      ...values,
    );
    return Object.fromEntries(rows.map((row) => [recorded<SessionStatus>(row['status']), number(row, 'n')]));
  }

  /** Those whose process came to run, oldest first. */
  async spending({ runId, since }: SpendingFilter): Promise<readonly Session[]> {
    const ran = 's.begun_at is not null or s.input_tokens is not null or s.cost_usd is not null';
    return this.#db
      .lists(
        `select ${qualifiedSessionColumns} from sessions s join runs r on r.id = s.run
         where (? is null or r.id = ? or r.root = ?) and s.created_at >= ? and (${ran})
         order by s.created_at, s.id`,
        runId,
        runId,
        runId,
        since,
      )
      .map(sessionOf);
  }

  /** Those that have not ended. */
  async live(): Promise<readonly Session[]> {
    return this.#db
      .lists(`select ${sessionColumns} from sessions where status in ('CREATED', 'RUNNING')`)
      .map(sessionOf);
  }

  /** Those that were created and have not been launched; some of them hold a slot that was promised to them. */
  async unlaunched(): Promise<readonly UnlaunchedSession[]> {
    const held = 'select 1 from launches l where l.run = s.run and l.key = s.key and l.attempt =';
    const rows = this.#db.lists(
      `select ${qualifiedSessionColumns}, exists (${held} 0) from sessions s
       where s.status = 'CREATED' and not exists (${held} s.attempt)`,
    );
    return rows.map((row) => ({ session: sessionOf(row), promised: row[sessionColumnCount] === 1 }));
  }

  /** Whether the intent to launch it was recorded, and its end was not. */
  async isLaunched({ runId, key, attempt }: Pick<Session, 'runId' | 'key' | 'attempt'>): Promise<boolean> {
    const sql = 'select 1 from launches where run = ? and key = ? and attempt = ?';
    return this.#db.get(sql, runId, key, attempt) !== undefined;
  }

  /** Those that may have a living process. */
  async launched(): Promise<readonly LaunchedSession[]> {
    const rows = this.#db.lists(
      `select ${qualifiedSessionColumns}, ${entryColumnsWith({ attempt: 'l.attempt', session: 's.id' })}
       from launches l join entries e on e.run = l.run and e.key = l.key
       join sessions s on s.run = l.run and s.key = l.key and s.attempt = l.attempt
       where l.kind = 'session' and s.status in ('CREATED', 'RUNNING')`,
    );
    return rows.map((row) => ({
      session: sessionOf(row),
      entry: entryOf(this.#db, row.slice(sessionColumnCount)),
    }));
  }
}

function conditions({ status, tags, parent, archived, despiteStatus }: SessionFilter): {
  readonly where: string;
  readonly values: readonly string[];
} {
  const parts: [string, readonly string[]][] = [
    [archived ? 'archived_at is not null' : 'archived_at is null', []],
    ...(status === null ? [] : [ofStatus(status, despiteStatus)]),
    ...(parent === null ? [] : ([['parent = ?', [parent]]] satisfies [string, string[]][])),
    ...tags.map((tag): [string, string[]] => [
      'exists (select 1 from json_each(sessions.tags) where value = ?)',
      [tag],
    ]),
  ];
  return {
    where: parts.map(([text]) => text).join(' and '),
    values: parts.flatMap(([, values]) => values),
  };
}

function ofStatus(
  status: SessionStatus,
  despite: SessionFilter['despiteStatus'],
): [string, readonly string[]] {
  if (despite === undefined) return ['status = ?', [status]];
  const ids = (list: readonly string[]): string => JSON.stringify(list);
  const named = 'select value from json_each(?)';
  return [
    `((status = ? and id not in (${named})) or id in (${named}))`,
    [status, ids(despite.except), ids(despite.also)],
  ];
}
