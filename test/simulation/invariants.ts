import type { Json } from '../../src/lib/json.ts';
import { attemptId } from '../../src/model/key.ts';
import type { LaunchedAttempt } from '../../src/model/ports/host.ts';
import type { SqliteStore } from '../../src/store/sqlite-store.ts';
import type { Machine } from './machine.ts';
import { maxSessions } from './world.ts';

/** What must hold after every event, whatever chance did. Each breach is one sentence. */
export class Invariants {
  readonly breaches: string[] = [];
  readonly #store: SqliteStore;
  readonly #concurrency: number;
  readonly #started = new Set<string>();
  readonly #acknowledged = new Map<string, string>();
  readonly #seen = new Map<string, string>();

  constructor(store: SqliteStore, concurrency: number) {
    this.#store = store;
    this.#concurrency = concurrency;
  }

  breach(sentence: string): void {
    this.breaches.push(sentence);
  }

  /** A process really starts. */
  started(machine: Machine, attempt: LaunchedAttempt): void {
    const id = attemptId(attempt);
    if (this.#started.has(id)) this.breach(`${id} was started twice`);
    this.#started.add(id);
    const running = machine.running().map((process) => process.attempt);
    const { runId, key, kind } = attempt;
    if (running.some((one) => one.runId === runId && one.key === key))
      this.breach(`${runId} ${key} has two processes`);
    const inRun = running.filter((one) => one.runId === runId).length + 1;
    if (inRun > this.#concurrency)
      this.breach(`${runId} has ${inRun} processes, and ${this.#concurrency} slots`);
    const sessions = running.filter((one) => one.kind === 'session').length + (kind === 'session' ? 1 : 0);
    if (sessions > maxSessions) this.breach(`${sessions} sessions run, and ${maxSessions} may`);
    if (!this.#holdsSlot(attempt)) this.breach(`${id} was started without a recorded intent`);
  }

  /** A local step runs now; only the driver that has the claim counts, a fenced one has not noticed yet. */
  stepRuns(holderId: string, runId: string, key: string): void {
    const run = this.#store.db.get('select holder from runs where id = ?', runId);
    if (run?.['holder'] !== holderId) return;
    const entry = this.#store.db.get('select state from entries where run = ? and key = ?', runId, key);
    if (entry?.['state'] === 'done' || entry?.['state'] === 'failed')
      this.breach(`${runId} ${key} ran again after its end`);
  }

  /** A result was accepted: it may never change from now on. */
  acknowledged(runId: string, key: string): void {
    this.#acknowledged.set(`${runId} ${key}`, this.#recorded(runId, key));
  }

  /** Workflow code saw this value: it must see the same in every replay, and it must be the recorded one. */
  saw(runId: string, key: string, value: Json): void {
    const name = `${runId} ${key}`;
    const text = JSON.stringify(value);
    const before = this.#seen.get(name);
    if (before !== undefined && before !== text)
      this.breach(`${name} was ${before} and is ${text} in a replay`);
    this.#seen.set(name, text);
  }

  fencedWrite(method: string, runId: string, epoch: number): void {
    this.breach(`${method} on ${runId} was accepted with the old claim ${epoch}`);
  }

  /** When nothing moves. */
  check(machine: Machine): void {
    for (const { attempt } of machine.running()) {
      if (!this.#holdsSlot(attempt)) this.breach(`${attemptId(attempt)} runs without a slot`);
    }
  }

  /** When everything is over. */
  checkEnd(machine: Machine, roots: readonly string[]): void {
    const { db } = this.#store;
    for (const [name, value] of this.#acknowledged) {
      const [runId = '', key = ''] = name.split(' ');
      if (this.#recorded(runId, key) !== value)
        this.breach(`${name} was recorded as ${value} and is not any more`);
    }
    const open = db.all(`select id, state from runs where state <> 'ended'`);
    if (open.length > 0) this.breach(`these runs never end: ${JSON.stringify(open)}`);
    const running = machine.running().map(({ attempt }) => attemptId(attempt));
    if (running.length > 0) this.breach(`the run is over and these still run: ${running.join(', ')}`);
    const slots = db.all('select * from launches').length;
    if (slots > 0) this.breach(`${slots} slots were never given back`);
    const alive = db.all(`select id from sessions where status in ('CREATED', 'RUNNING')`).length;
    if (alive > 0) this.breach(`${alive} sessions never end`);
    for (const id of roots) this.#checkBudget(machine, id);
    const told = db.all(`select run, json_extract(body, '$.name') as name, count(*) as n from events
      where type = 'note' group by 1, 2 having n > 1`);
    if (told.length > 0) this.breach(`told twice: ${JSON.stringify(told)}`);
  }

  /** Every launch was counted once, and no intent that a crash kept from becoming a process. */
  #checkBudget(machine: Machine, rootId: string): void {
    const counted = this.#store.db.get('select launches from budgets where root = ?', rootId)?.['launches'];
    const launches = [...machine.processes.values()].filter(
      ({ attempt: { kind, runId }, end }) =>
        kind === 'session' && end !== 'barred' && runId.split('.')[0] === rootId,
    ).length;
    if (counted !== launches)
      this.breach(`the budget of ${rootId} counts ${String(counted)} launches of ${launches}`);
  }

  #holdsSlot({ runId, key, attempt }: LaunchedAttempt): boolean {
    const row = this.#store.db.get('select attempt from launches where run = ? and key = ?', runId, key);
    return row?.['attempt'] === attempt;
  }

  #recorded(runId: string, key: string): string {
    const row = this.#store.db.get('select state, body from entries where run = ? and key = ?', runId, key);
    return JSON.stringify([row?.['state'], row?.['body']]);
  }
}
