import { type Json, recorded } from '../lib/json.ts';
import type { Budget } from '../model/budget.ts';
import type { Entry } from '../model/entry.ts';
import type { FeedEvent, SessionWarning } from '../model/event.ts';
import type { Holder } from '../model/holder.ts';
import { rootStepOf } from '../model/key.ts';
import type { OpenQuestion, Question } from '../model/question.ts';
import type { Run } from '../model/run.ts';
import type { SessionSpec } from '../model/turn.ts';
import { AuditQueries } from './audit-queries.ts';
import { decode } from './codec.ts';
import type { Database, Row } from './database.ts';
import { entryColumns, entryOf, findSpec } from './entry-columns.ts';
import { feedEventOf } from './feed.ts';
import { PlanQueries } from './plan-rows.ts';
import { runColumns, runColumnsForLists, runOf } from './run-columns.ts';
import { budgetOfRow, holderOf, number, text, textOrNull } from './rows.ts';
import { SessionQueries } from './session-queries.ts';

export interface KnownQuestion extends OpenQuestion {
  /** Null while it is open, or when it was closed without one. */
  readonly answer: string | null;
  readonly answeredAt: number | null;
  /** Nobody waits for an answer any more. */
  readonly closed: boolean;
}

export interface Slots {
  readonly inRun: number;
  readonly sessions: number;
}

/** Everything people and programs read. Nothing here waits for a writer, and nothing here changes anything. */
export class Queries {
  readonly sessions: SessionQueries;
  readonly audit: AuditQueries;
  readonly plans: PlanQueries;
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    this.sessions = new SessionQueries(db);
    this.audit = new AuditQueries(db);
    this.plans = new PlanQueries(db);
  }

  run(id: string): Run | null {
    const [found] = this.#db.lists(`select ${runColumns} from runs where id = ?`, id);
    return found === undefined ? null : runOf(this.#db, found);
  }

  /** Newest first; `limit` null is all. */
  runs(limit: number | null): readonly Run[] {
    return this.#db
      .lists(
        `select ${runColumnsForLists} from runs order by ordinal desc, started_at desc, id desc limit ?`,
        limit ?? -1,
      )
      .map((columns) => runOf(this.#db, columns));
  }

  /** Runs that live on this one's budget and are not over, the innermost last. */
  runsInside(rootId: string): readonly string[] {
    return this.#db
      .all(
        `select id from runs where root = ? and id <> ? and state <> 'ended' order by ordinal`,
        rootId,
        rootId,
      )
      .map((row) => text(row, 'id'));
  }

  input(runId: string): Json {
    const row = this.#db.get('select input from runs where id = ?', runId);
    return row === undefined ? null : decode(this.#db, textOrNull(row, 'input'));
  }

  /** What was asked of a session of this run; null if it was never opened. */
  spec(runId: string, key: string): SessionSpec | null {
    return findSpec(this.#db, runId, key);
  }

  entry(runId: string, key: string): Entry | null {
    const [found] = this.#db.lists(
      `select ${entryColumns} from entries where run = ? and key = ?`,
      runId,
      key,
    );
    return found === undefined ? null : entryOf(this.#db, found);
  }

  entries(runId: string): readonly Entry[] {
    return this.#db
      .lists(`select ${entryColumns} from entries where run = ? order by ordinal, opened_at, key`, runId)
      .map((columns) => entryOf(this.#db, columns));
  }

  /** Slots that are taken: of one run, and by sessions of the whole project. */
  slots(runId: string): Slots {
    const row = this.#db.get(
      `select count(*) filter (where run = ? and attempt > 0) as run, count(*) filter (where kind = 'session') as sessions
       from launches`,
      runId,
    );
    return { inRun: Number(row?.['run'] ?? 0), sessions: Number(row?.['sessions'] ?? 0) };
  }

  budget(rootId: string): Budget | null {
    const row = this.#db.get('select * from budgets where root = ?', rootId);
    return row === undefined ? null : budgetOfRow(row);
  }

  holder(runId: string): Holder | null {
    const row = this.#db.get(
      'select h.* from runs r join holders h on h.id = r.holder where r.id = ?',
      runId,
    );
    return row === undefined ? null : holderOf(row);
  }

  conductor(): Holder | null {
    const row = this.#db.get(`select * from holders where id = 'conductor'`);
    return row === undefined ? null : holderOf(row);
  }

  /** The feed after a place, oldest first. */
  events(runId: string | null, afterSeq: number, limit = 10_000): readonly FeedEvent[] {
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
  warnedSessions(runId: string, about: SessionWarning): readonly string[] {
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
  lastSeq(runId: string): number {
    return Number(this.#db.get('select max(seq) as seq from events where run = ?', runId)?.['seq'] ?? 0);
  }

  /** Steps of flows that succeeded, by the verdict that their run recorded. */
  succeededSteps(): readonly { readonly runId: string; readonly step: string }[] {
    return this.#db
      .all(
        `select run, key from entries
         where kind = 'step' and state = 'done' and outcome = 'SUCCESS' and key like '%/verdict@%'`,
      )
      .map((row) => ({ runId: text(row, 'run'), step: rootStepOf(text(row, 'key')) }));
  }

  /** What waits for a person; a run that has ended may have left out the step that asks, and the question stays. */
  openQuestions(runId: string | null = null): readonly OpenQuestion[] {
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

  question(id: number): KnownQuestion | null {
    return this.#known(this.#db.get('select * from questions where id = ?', id));
  }

  questionAt(runId: string, key: string): KnownQuestion | null {
    return this.#known(this.#db.get('select * from questions where run = ? and key = ?', runId, key));
  }

  /** The question of the run itself that was answered last. */
  lastAnswered(runId: string): KnownQuestion | null {
    return this.#known(
      this.#db.get(
        `select * from questions where run = ? and session is null and answered_at is not null and closed = 0
         order by answered_at desc, id desc limit 1`,
        runId,
      ),
    );
  }

  /** What a session has asked while it worked, with what was answered. */
  questionsOf(sessionId: string): readonly KnownQuestion[] {
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
