import { type Json, recorded } from '../lib/json.ts';
import type { Budget } from '../model/budget.ts';
import type { Entry } from '../model/entry.ts';
import type { FeedEvent, SessionWarning } from '../model/event.ts';
import type { Holder } from '../model/holder.ts';
import type { Lease } from '../model/lease.ts';
import { rootStepOf } from '../model/key.ts';
import type { OpenQuestion, Question } from '../model/question.ts';
import type { Run } from '../model/run.ts';
import type { SessionSpec } from '../model/turn.ts';
import type * as port from '../model/ports/queries.ts';
import type { KnownQuestion, Slots } from '../model/ports/queries.ts';
import { SqliteAuditQueries } from './audit-queries.ts';
import { decode } from './codec.ts';
import type { Database, Row } from './database.ts';
import { entryColumns, entryOf, findSpec } from './entry-columns.ts';
import { feedEventOf } from './feed.ts';
import { SqlitePlanQueries } from './plan-rows.ts';
import { runColumns, runColumnsForLists, runOf, wakeable } from './run-columns.ts';
import { budgetOfRow, holderOf, number, text, textOrNull } from './rows.ts';
import { SqliteSessionQueries } from './session-queries.ts';

/** Everything people and programs read. Nothing here waits for a writer, and nothing here changes anything. */
export class SqliteQueries implements port.Queries {
  readonly sessions: SqliteSessionQueries;
  readonly audit: SqliteAuditQueries;
  readonly plans: SqlitePlanQueries;
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    this.sessions = new SqliteSessionQueries(db);
    this.audit = new SqliteAuditQueries(db);
    this.plans = new SqlitePlanQueries(db);
  }

  async snapshot(): Promise<port.Snapshot> {
    return new SqliteSnapshot(this.#db.pinned());
  }

  async run(id: string): Promise<Run | null> {
    const [found] = this.#db.lists(`select ${runColumns} from runs where id = ?`, id);
    return found === undefined ? null : runOf(this.#db, found);
  }

  /** Newest first; `limit` null is all. */
  async runs(limit: number | null): Promise<readonly Run[]> {
    return this.#db
      .lists(
        `select ${runColumnsForLists} from runs order by ordinal desc, started_at desc, id desc limit ?`,
        limit ?? -1,
      )
      .map((columns) => runOf(this.#db, columns));
  }

  /** Runs that live on this one's budget and are not over, the innermost last. */
  async runsInside(rootId: string): Promise<readonly string[]> {
    return this.#db
      .all(
        `select id from runs where root = ? and id <> ? and state <> 'ended' order by ordinal`,
        rootId,
        rootId,
      )
      .map((row) => text(row, 'id'));
  }

  async input(runId: string): Promise<Json> {
    const row = this.#db.get('select input from runs where id = ?', runId);
    return row === undefined ? null : decode(this.#db, textOrNull(row, 'input'));
  }

  /** What was asked of a session of this run; null if it was never opened. */
  async spec(runId: string, key: string): Promise<SessionSpec | null> {
    return findSpec(this.#db, runId, key);
  }

  async entry(runId: string, key: string): Promise<Entry | null> {
    const [found] = this.#db.lists(
      `select ${entryColumns} from entries where run = ? and key = ?`,
      runId,
      key,
    );
    return found === undefined ? null : entryOf(this.#db, found);
  }

  async entries(runId: string): Promise<readonly Entry[]> {
    return this.#db
      .lists(`select ${entryColumns} from entries where run = ? order by ordinal, opened_at, key`, runId)
      .map((columns) => entryOf(this.#db, columns));
  }

  /** Slots that are taken: of one run, and by sessions of the whole project. */
  async slots(runId: string): Promise<Slots> {
    const row = this.#db.get(
      `select count(*) filter (where run = ? and attempt > 0) as run, count(*) filter (where kind = 'session') as sessions
       from launches`,
      runId,
    );
    return { inRun: Number(row?.['run'] ?? 0), sessions: Number(row?.['sessions'] ?? 0) };
  }

  async budget(rootId: string): Promise<Budget | null> {
    const row = this.#db.get('select * from budgets where root = ?', rootId);
    return row === undefined ? null : budgetOfRow(row);
  }

  async holder(runId: string): Promise<Holder | null> {
    const row = this.#db.get(
      'select h.* from runs r join holders h on h.id = r.holder where r.id = ?',
      runId,
    );
    return row === undefined ? null : holderOf(row);
  }

  async lease(holderId: string): Promise<Lease | null> {
    const row = this.#db.get('select * from holders where id = ?', holderId);
    return row === undefined ? null : { holder: holderOf(row), until: number(row, 'until') };
  }

  async conductor(): Promise<Holder | null> {
    const row = this.#db.get(`select * from holders where id = 'conductor'`);
    return row === undefined ? null : holderOf(row);
  }

  async holders(): Promise<readonly Holder[]> {
    return this.#db.all('select * from holders order by id').map(holderOf);
  }

  async wakeable(rootId: string | null): Promise<readonly string[]> {
    return wakeable(this.#db, rootId);
  }

  /** The feed after a place, oldest first. */
  async events(runId: string | null, afterSeq: number, limit = 10_000): Promise<readonly FeedEvent[]> {
    const rows =
      runId === null
        ? this.#db.all('select * from events where seq > ? order by seq limit ?', afterSeq, limit)
        : this.#db.all(
            'select * from events where run = ? and seq > ? order by seq limit ?',
            runId,
            afterSeq,
            limit,
          );
    return rows.map(feedEventOf);
  }

  /** Sessions of a run that had a warning of this kind, in the order of the warnings. */
  async warnedSessions(runId: string, about: SessionWarning): Promise<readonly string[]> {
    return this.#db
      .all(
        `select json_extract(body, '$.session') as session from events
         where run = ? and type = 'session.warned' and json_extract(body, '$.about') = ? order by seq`,
        runId,
        about,
      )
      .flatMap((row) => textOrNull(row, 'session') ?? []);
  }

  /** Where the feed of a run stands now: what comes later is news. */
  async lastSeq(runId: string): Promise<number> {
    return Number(this.#db.get('select max(seq) as seq from events where run = ?', runId)?.['seq'] ?? 0);
  }

  /** Steps of flows that succeeded, by the verdict that their run recorded. */
  async succeededSteps(): Promise<readonly { readonly runId: string; readonly step: string }[]> {
    return this.#db
      .all(
        `select run, key from entries
         where kind = 'step' and state = 'done' and outcome = 'SUCCESS' and key like '%/verdict@%'`,
      )
      .map((row) => ({ runId: text(row, 'run'), step: rootStepOf(text(row, 'key')) }));
  }

  /** What waits for a person; a run that has ended may have left out the step that asks, and the question stays. */
  async openQuestions(runId: string | null = null): Promise<readonly OpenQuestion[]> {
    return this.#db
      .all(
        `select q.* from questions q join runs r on r.id = q.run
         where q.answered_at is null and q.closed = 0 and (r.state <> 'ended' or r.outcome <> 'INTERRUPTED') and (? is null or q.run = ?)
         order by q.asked_at, q.id`,
        runId,
        runId,
      )
      .map((row) => this.#questionOf(row));
  }

  async question(id: number): Promise<KnownQuestion | null> {
    return this.#known(this.#db.get('select * from questions where id = ?', id));
  }

  async questionAt(runId: string, key: string): Promise<KnownQuestion | null> {
    return this.#known(this.#db.get('select * from questions where run = ? and key = ?', runId, key));
  }

  /** The question of the run itself that was answered last. */
  async lastAnswered(runId: string): Promise<KnownQuestion | null> {
    return this.#known(
      this.#db.get(
        `select * from questions where run = ? and session is null and answered_at is not null and closed = 0
         order by answered_at desc, id desc limit 1`,
        runId,
      ),
    );
  }

  /** What a session has asked while it worked, with what was answered. */
  async questionsOf(sessionId: string): Promise<readonly KnownQuestion[]> {
    return this.#db
      .all('select * from questions where session = ? order by request', sessionId)
      .flatMap((row) => this.#known(row) ?? []);
  }

  #known(row: Row | undefined): KnownQuestion | null {
    if (row === undefined) return null;
    return {
      ...this.#questionOf(row),
      answer: textOrNull(row, 'answer'),
      answeredAt: row['answered_at'] === null ? null : number(row, 'answered_at'),
      answeredBy: textOrNull(row, 'answered_by'),
      closed: row['closed'] === 1,
    };
  }

  #questionOf(row: Row): OpenQuestion {
    return {
      id: `Q${text(row, 'id')}`,
      runId: text(row, 'run'),
      key: text(row, 'key'),
      question: recorded<Question>(decode(this.#db, text(row, 'question'))),
      askedAt: number(row, 'asked_at'),
      asker:
        row['session'] === null ? null : { session: text(row, 'session'), request: number(row, 'request') },
    };
  }
}

class SqliteSnapshot extends SqliteQueries implements port.Snapshot {
  readonly #pinned: Database;

  constructor(pinned: Database) {
    super(pinned);
    this.#pinned = pinned;
  }

  [Symbol.dispose](): void {
    this.#pinned[Symbol.dispose]();
  }
}
