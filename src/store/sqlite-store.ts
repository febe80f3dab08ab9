import { probe } from '../lib/probe.ts';
import { Redactor } from '../lib/redact.ts';
import type { Clock } from '../model/ports/clock.ts';
import type * as port from '../model/ports/store.ts';
import type { Lineage } from '../model/ports/recovery-records.ts';
import type { BackupFolder } from './backup-folder.ts';
import { Batch } from './batch.ts';
import { ChangeLog, lineageOf } from './change-log.ts';
import { copyInThread } from './copy-database.ts';
import { nextBackup, openDatabase, type Database } from './database.ts';
import { isBehind, knowsId } from './inspect.ts';
import { restorableUpTo } from './kept-changes.ts';
import { keptRun, keptTurn, runMark, type KeptRun, type KeptTurn } from './kept-turns.ts';
import { liveHolder } from './live-holder.ts';
import { wakeable } from './run-columns.ts';
import { entryColumns, entryOf, findTurn } from './entry-columns.ts';
import { admit } from './transitions/admit.ts';
import { claim, park, release, renew } from './transitions/claim.ts';
import { begin, complete, drop, finish, withdraw } from './transitions/complete.ts';
import { leaveConductor, takeConductor } from './transitions/conductor.ts';
import {
  amend,
  cancel,
  cancelEnded,
  halt,
  reopen,
  resume,
  settleHalt,
  start,
} from './transitions/lifecycle.ts';
import { open, put } from './transitions/open.ts';
import { createPlan, readPlan, writePlan } from './transitions/plans.ts';
import { pruneEvents } from './transitions/prune.ts';
import { answer } from './transitions/questions.ts';
import {
  markArchived,
  markPruned,
  retakeAudit,
  takeAudit,
  tellOnce,
} from './transitions/audit-and-archive.ts';
import { answerInSession, askInSession } from './transitions/session-questions.ts';
import { continueSession, startSession } from './transitions/sessions.ts';
import { addEvent, findBudget, findRun, ownRun, type Tx } from './transitions/tables.ts';
import type { FeedEvent, AuditEvent } from '../model/event.ts';
import type { PlanRecord } from '../model/plan/plan-record.ts';
import type { ConductorStore } from '../model/ports/conductor-store.ts';
import type { ProjectStore } from '../model/ports/project-store.ts';
import type { PlanStore, PlanWritten, VersionedPlan } from '../model/ports/plan-store.ts';
import type { Holder } from '../model/holder.ts';
import type { Lease, LeaseFacts } from '../model/lease.ts';

export interface SqliteStoreParts {
  readonly path: string;
  readonly clock: Clock;
  /** Sessions of the whole project that may run at once. */
  readonly maxSessions: number;
  readonly isAlive: (holder: Holder) => boolean;
  /** The default knows secrets by their shape only. */
  readonly redactor?: Redactor;
  /** Where copies and changes are kept; absent: nothing is kept beyond the file. */
  readonly backups?: BackupFolder;
  /** When a group of transitions is committed; the default is the end of this turn of the event loop. */
  readonly schedule?: (flush: () => void) => void;
  /** How often another process's changes are looked for. */
  readonly pollMs?: number;
}

/** The embedded engine's store: one SQLite file, many processes. */
export class SqliteStore implements ProjectStore, Disposable {
  readonly db: Database;
  readonly #clock: Clock;
  readonly #maxSessions: number;
  readonly #batch: Batch;
  readonly #subscribers = new Set<() => void>();
  readonly #pollMs: number;
  readonly #backups: BackupFolder | null;
  #isLogChecked = false;
  #poll: Disposable | null = null;
  #version: unknown = null;

  constructor({
    path,
    clock,
    maxSessions,
    isAlive,
    redactor = new Redactor([]),
    backups,
    schedule = setImmediate,
    pollMs = 100,
  }: SqliteStoreParts) {
    this.#clock = clock;
    this.#maxSessions = maxSessions;
    this.#pollMs = pollMs;
    this.#backups = backups ?? null;
    this.db = openDatabase(path, (db) => liveHolder(db, isAlive), undefined, redactor, this.#backups);
    const log = backups === undefined ? null : new ChangeLog(this.db, backups, () => clock.wall());
    this.#batch = new Batch(this.db, schedule, log);
  }

  /** From now on every change is refused: for a process that only looks. */
  async refuseChanges(): Promise<void> {
    this.db.exec('pragma query_only = on');
  }

  claim(...args: Parameters<port.Store['claim']>): Promise<port.Claim> {
    return this.#write('claim', (tx) => claim(tx, ...args));
  }

  put(fence: port.Fence, entry: port.PutEntry, events: Parameters<port.Store['put']>[2] = []): Promise<void> {
    return this.#write('put', (tx) => put(tx, fence, entry, events));
  }

  open(...[fence, entry, events = []]: Parameters<port.Store['open']>): ReturnType<port.Store['open']> {
    return this.#write('open', (tx) => open(tx, fence, entry, events));
  }

  admit(fence: port.Fence, candidates: readonly port.Candidate[]): Promise<port.Admitted> {
    return this.#write('admit', (tx) => admit(tx, fence, candidates, this.#maxSessions));
  }

  drop(...args: Parameters<port.Store['drop']>): ReturnType<port.Store['drop']> {
    return this.#tell('drop', (tx) => drop(tx, ...args));
  }

  async news(fence: port.Fence, seen: number): Promise<port.News> {
    this.db.assertInPlace();
    const run = ownRun(this.#tx(), fence);
    const { change, cancelled } = run;
    const changed =
      change === seen
        ? []
        : this.db.lists(`select ${entryColumns} from entries where run = ? and change > ?`, run.id, seen);
    return { change, cancelled, run, entries: changed.map((columns) => entryOf(this.db, columns)) };
  }

  park(...args: Parameters<port.Store['park']>): Promise<boolean> {
    return this.#write('park', (tx) => park(tx, ...args));
  }

  release(fence: port.Fence): Promise<void> {
    return this.#tell('release', (tx) => release(tx, fence));
  }

  finish(...[fence, end, events = []]: Parameters<port.Store['finish']>): Promise<void> {
    return this.#tell('finish', (tx) => finish(tx, fence, end, events));
  }

  async budget(runId: string): ReturnType<port.Store['budget']> {
    const run = findRun(this.#tx(), runId);
    return findBudget(this.#tx(), run?.rootId ?? runId);
  }

  async turns(runId: string, keys: readonly string[]): ReturnType<port.Store['turns']> {
    return keys.flatMap((key) => findTurn(this.db, runId, key) ?? []);
  }

  renew(...args: Parameters<port.Store['renew']>): Promise<void> {
    return this.#write('renew', (tx) => renew(tx, ...args));
  }

  start(...args: Parameters<port.Store['start']>): Promise<'started' | 'exists'> {
    return this.#tell('start', (tx) => start(tx, ...args));
  }

  startSession(
    request: port.SessionRequest,
    lease?: Lease,
    ended: readonly port.EndedAttempt[] = [],
  ): Promise<port.SessionStarted> {
    return this.#tell('start-session', (tx) => {
      for (const { ref, completion, session, endedAt } of ended)
        complete(tx, ref, completion, session, endedAt);
      return startSession(tx, request, this.#maxSessions, lease);
    });
  }

  begin(ref: Parameters<port.Store['begin']>[0]): Promise<boolean> {
    return this.#write('begin', (tx) => begin(tx, ref));
  }

  complete(...args: Parameters<port.Store['complete']>): Promise<boolean> {
    return this.#tell('complete', (tx) => complete(tx, ...args));
  }

  answer(...args: Parameters<port.Store['answer']>): Promise<boolean> {
    return this.#tell('answer', (tx) => answer(tx, ...args));
  }

  continueSession(...args: Parameters<port.Store['continueSession']>): Promise<boolean> {
    return this.#write('continue-session', (tx) => continueSession(tx, ...args));
  }

  askInSession(...args: Parameters<port.Store['askInSession']>): Promise<boolean> {
    return this.#tell('ask-in-session', (tx) => askInSession(tx, ...args));
  }

  answerInSession(...args: Parameters<port.Store['answerInSession']>): Promise<boolean> {
    return this.#tell('answer-in-session', (tx) => answerInSession(tx, ...args));
  }

  cancel(...args: Parameters<port.Store['cancel']>): Promise<boolean> {
    return this.#tell('cancel', (tx) => cancel(tx, ...args));
  }

  cancelEnded(): Promise<void> {
    return this.#write('cancel-ended', cancelEnded);
  }

  amend(...args: Parameters<port.Store['amend']>): Promise<port.Amended> {
    return this.#tell('amend', (tx) => amend(tx, ...args));
  }

  reopen(...args: Parameters<port.Store['reopen']>): Promise<port.Reopened> {
    return this.#tell('reopen', (tx) => reopen(tx, ...args));
  }

  withdraw(...args: Parameters<port.Store['withdraw']>): Promise<readonly string[]> {
    return this.#tell('withdraw', (tx) => withdraw(tx, ...args));
  }

  halt(...args: Parameters<port.Store['halt']>): Promise<boolean> {
    return this.#tell('halt', (tx) => halt(tx, ...args));
  }

  resume(...args: Parameters<port.Store['resume']>): Promise<port.RunResumed> {
    return this.#tell('resume', (tx) => resume(tx, ...args));
  }

  settleHalt(fence: port.Fence): Promise<boolean> {
    return this.#write('settle-halt', (tx) => settleHalt(tx, fence));
  }

  takeConductor(facts: LeaseFacts, leaseMs: number): ReturnType<ConductorStore['takeConductor']> {
    return this.#write('take-conductor', (tx) => takeConductor(tx, facts, leaseMs));
  }

  leaveConductor(pid: number): Promise<void> {
    return this.#write('leave-conductor', (tx) => leaveConductor(tx, pid));
  }

  note(runId: string | null, event: AuditEvent): Promise<void> {
    return this.#write('note', (tx) => addEvent(tx, runId ?? '', event));
  }

  /** False: it was told since then. */
  noteOnce(runId: string | null, event: AuditEvent, since: number): Promise<boolean> {
    return this.#write('note-once', (tx) => tellOnce(tx, runId ?? '', event, since));
  }

  /** Events that the audit has not seen, each returned once, to whichever caller is first. */
  takeAudit(limit: number): Promise<readonly FeedEvent[]> {
    return this.#write('take-audit', (tx) => takeAudit(tx, limit));
  }

  /** All of them, once more. */
  retakeAudit(): Promise<readonly FeedEvent[]> {
    return this.#write('take-audit', retakeAudit);
  }

  markArchived(id: string): Promise<boolean> {
    return this.#write('mark-archived', (tx) => markArchived(tx, id));
  }

  markPruned(id: string): Promise<boolean> {
    return this.#write('mark-pruned', (tx) => markPruned(tx, id));
  }

  createPlan(plan: PlanRecord): Promise<'created' | 'exists'> {
    return this.#tell('create-plan', (tx) => createPlan(tx, plan));
  }

  async readPlan(name: string): Promise<VersionedPlan | null> {
    return readPlan(this.#tx(), name);
  }

  writePlan(...args: Parameters<PlanStore['writePlan']>): Promise<PlanWritten> {
    return this.#tell('write-plan', (tx) => writePlan(tx, ...args));
  }

  /**
   * Copies the database, unless a copy was made or begun less than this time ago and can be completed. False: nothing was
   * copied.
   */
  async backUp(everyMs: number): Promise<boolean> {
    const backups = this.#backups;
    if (backups === null) return false;
    // Once in a process: the log notices by itself what it could not write since.
    const isBroken = !this.#isLogChecked && (await this.missingInCopy()) > 0;
    this.#isLogChecked = true;
    const lineage = await this.#write('back-up', ({ now }) => {
      const copiedAt = backups.copiedAt(lineageOf(this.db).id);
      if (!isBroken && copiedAt !== null && Math.abs(now - copiedAt) < everyMs) return null;
      const next = nextBackup(this.db);
      backups.begin(next);
      return next;
    });
    if (lineage === null) return false;
    await copyInThread(this.db.path, `${backups.copy(lineage)}.tmp`);
    backups.finish(lineage, this.#clock.wall());
    return true;
  }

  /** How many transactions could not be restored from the copies and changes that are kept. */
  async missingInCopy(): Promise<number> {
    if (this.#backups === null) return 0;
    // Looked at before the log, because other processes write: their changes are in the log first.
    const { id, changes } = lineageOf(this.db);
    return Math.max(0, changes - (restorableUpTo(this.#backups, id) ?? 0));
  }

  /** Whether the database is still where it was opened. */
  async isInPlace(): Promise<boolean> {
    return this.db.isInPlace();
  }

  /** Which database this is. */
  async lineage(): Promise<Lineage> {
    return lineageOf(this.db);
  }

  /** Whether the file is an old copy: later transactions were recorded. */
  isBehind(): boolean {
    return this.#backups !== null && isBehind(this.db, this.#backups);
  }

  /** Whether it has a run or a session of this id. */
  async knows(id: string): Promise<boolean> {
    return knowsId(this.db, id);
  }

  /** What a file beside the database keeps of a launched turn, and of its run. */
  async keptTurn(sessionId: string): Promise<KeptTurn | null> {
    return keptTurn(this.db, sessionId);
  }

  async keptRun(runId: string): Promise<KeptRun | null> {
    return keptRun(this.db, runId);
  }

  /** Changes when the run is amended. */
  async runMark(runId: string): Promise<string> {
    return runMark(this.db, runId);
  }

  /** Number of events that were removed. */
  pruneEvents(endedBefore: number): Promise<number> {
    return this.#write('prune', (tx) => pruneEvents(tx, endedBefore));
  }

  async wakeable(rootId: string | null): Promise<readonly string[]> {
    return wakeable(this.db, rootId);
  }

  /** What concerns other runs of this process too is told at once; other processes' by looking at SQLite's counter. */
  subscribe(callback: () => void): Disposable {
    this.#subscribers.add(callback);
    this.#poll ??= this.#clock.every(this.#pollMs, () => {
      this.#lookForOthers();
    });
    return {
      [Symbol.dispose]: () => {
        this.#subscribers.delete(callback);
        if (this.#subscribers.size > 0) return;
        this.#poll?.[Symbol.dispose]();
        this.#poll = null;
      },
    };
  }

  [Symbol.dispose](): void {
    this.#poll?.[Symbol.dispose]();
    this.#subscribers.clear();
    this.db[Symbol.dispose]();
  }

  #lookForOthers(): void {
    let version: unknown;
    try {
      version = this.db.get('pragma data_version')?.['data_version'];
    } catch {
      // Looking is nobody's request: whoever needs the database next is told what is wrong with it.
      return;
    }
    if (version !== this.#version) this.#notify();
    this.#version = version;
  }

  #tx(): Tx {
    return { db: this.db, now: this.#clock.wall() };
  }

  async #write<T>(name: string, transition: (tx: Tx) => T): Promise<T> {
    probe(`${name}:before`);
    const value = await this.#batch.write(() => transition(this.#tx()));
    probe(`${name}:after`);
    return value;
  }

  async #tell<T>(name: string, transition: (tx: Tx) => T): Promise<T> {
    const value = await this.#write(name, transition);
    this.#notify();
    return value;
  }

  #notify(): void {
    for (const subscriber of this.#subscribers) subscriber();
  }
}
