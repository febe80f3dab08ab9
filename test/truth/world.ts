import { askPastGone } from '../../src/kernel/past-gone.ts';
import { changeTask, loadTasks } from '../../src/app/plan-record/change-plan.ts';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultConfig } from '../../src/app/config/load-config.ts';
import { pathsOf, type ProjectPaths } from '../../src/app/project.ts';
import { sessionLogs } from '../../src/app/sessions/session-logs.ts';
import type { RunPlaces } from '../../src/app/status/run-status.ts';
import { plain } from '../../src/lib/json.ts';
import type { ProcessRow, ProcessTable } from '../../src/lib/process/process-table.ts';
import { Redactor } from '../../src/lib/redact.ts';
import type { Config } from '../../src/model/config.ts';
import type { Holder } from '../../src/model/holder.ts';
import { blankPlan } from '../../src/model/plan/plan-record.ts';
import { startTask } from '../../src/model/plan/work-on-task.ts';
import { declareStarted, recordEnd } from '../../src/runtime/attempt-files.ts';
import { SqliteQueries } from '../../src/store/queries.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { newSession } from '../conformance/world.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { newRun } from '../rig/engine.ts';
import { plainSpec } from '../rig/session-spec.ts';
import { everythingCounts } from '../rig/trust.ts';
import { VirtualClock } from '../rig/virtual-clock.ts';
import { planRun, type TaskId, type TrueRun, type TrueTurn, type Truth } from './truth.ts';

/** Processes that exist because the test says so. */
class FakeProcesses implements ProcessTable {
  readonly bootId = 'boot';
  readonly #living = new Set<number>();
  #last = 1000;

  spawn(): number {
    this.#last += 1;
    this.#living.add(this.#last);
    return this.#last;
  }

  kill(pid: number): void {
    this.#living.delete(pid);
  }

  lives(pid: number): boolean {
    return this.#living.has(pid);
  }

  one(pid: number | 'self'): ProcessRow | null {
    if (pid === 'self' || !this.lives(pid)) return null;
    return { pid, parent: 1, leader: pid, state: 'S', startTime: String(pid) };
  }

  all(): readonly ProcessRow[] {
    return [...this.#living].flatMap((pid) => this.one(pid) ?? []);
  }

  withVariable(): readonly number[] {
    return [];
  }

  variable(): string | null {
    return null;
  }

  programs(): readonly string[] {
    return [];
  }

  groups(): readonly string[] {
    return [];
  }
}

interface Turn extends TrueTurn {
  readonly key: string;
  process: 'none' | 'alive' | 'exited' | 'gone';
  pid: number;
  code: number;
  recorded: 'no' | 'ended' | 'lost';
}

interface RunTruth extends TrueRun {
  pid: number | null;
  epoch: number;
  ended: boolean;
  halt: 'no' | 'halting' | 'halted';
  stopped: boolean;
  readonly asks: Map<TaskId, string>;
  readonly proven: Set<TaskId>;
  readonly begun: Set<TaskId>;
}

const tokens = 7;
const maxSessions = 2;

/** One database for all histories: opening one for each would cost more than the history. */
let ground: { readonly store: SqliteStore; clock: VirtualClock; readonly folder: string } | null = null;

function groundOf(): NonNullable<typeof ground> {
  if (ground !== null) return ground;
  const made = {
    clock: new VirtualClock(),
    folder: realpathSync(mkdtempSync(join(tmpdir(), 'tutti-truth-'))),
  };
  const store = new SqliteStore({
    path: ':memory:',
    clock: {
      wall: () => (ground ?? made).clock.wall(),
      monotonic: () => (ground ?? made).clock.monotonic(),
      timer: (at, callback) => (ground ?? made).clock.timer(at, callback),
      every: (ms, callback) => (ground ?? made).clock.every(ms, callback),
      settle: () => (ground ?? made).clock.settle(),
    },
    maxSessions,
    isAlive: () => true,
    schedule: (flush) => {
      flush();
    },
  });
  ground = { ...made, store };
  return ground;
}

export function removeGround(): void {
  if (ground === null) return;
  ground.store[Symbol.dispose]();
  rmSync(ground.folder, { recursive: true, force: true });
  ground = null;
}

/**
 * A project whose truth the test knows, because it made it: every transition is the store's own, every launcher's file is as
 * a launcher writes it, and processes live until they are killed.
 */
export class TruthWorld implements Truth {
  readonly processes = new FakeProcesses();
  readonly clock = new VirtualClock();
  readonly store: SqliteStore;
  readonly queries: SqliteQueries;
  readonly paths: ProjectPaths;
  readonly config: Config;
  readonly runs: RunTruth[] = [];
  readonly turns: Turn[] = [];
  /** Tokens that were recorded for the plan. */
  tokens = 0;
  /** Turns that were asked for; makes their keys differ. */
  launches = 0;

  constructor() {
    const made = groundOf();
    made.clock = this.clock;
    this.store = made.store;
    const tables = 'runs holders entries launches budgets sessions questions events plans plan_tasks';
    this.store.db.exec(
      tables
        .split(' ')
        .map((table) => `delete from ${table}`)
        .join(';'),
    );
    const root = join(made.folder, 'project');
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root);
    this.queries = new SqliteQueries(this.store.db);
    this.paths = pathsOf(root);
    const config = defaultConfig({ projectDir: root, env: {}, home: root, trust: everythingCounts });
    this.config = { ...config, maxSessions };
  }

  get places(): RunPlaces & { readonly config: Config } {
    const { queries, paths, processes, config, clock } = this;
    const logs = sessionLogs({ queries, paths, config, clock, env: {}, redactor: new Redactor([]) });
    return { queries, paths, processes, config, clock, logs };
  }

  async begin(): Promise<void> {
    const { root } = this.paths;
    await this.store.createPlan(
      blankPlan({ name: 'p', targetDir: root, projectType: 'new', stack: null, at: this.clock.wall() }),
    );
    await loadTasks(this, 'p', goodPlan({ tasks: 2 }).tasks);
  }

  /** What a turn is, from what was done to it. */
  statusOf(turn: TrueTurn): { readonly status: string; readonly lost: boolean } {
    const { process, recorded, code } = this.turns.find(({ id }) => id === turn.id) ?? { process: 'none' };
    const run = this.runs.find(({ id }) => id === turn.run);
    const lost = { status: 'FAILED', lost: true };
    if (recorded === 'lost' || process === 'gone') return lost;
    if (process === 'exited') return { status: code === 0 ? 'COMPLETED' : 'FAILED', lost: false };
    if (process === 'alive') return { status: 'RUNNING', lost: false };
    return run !== undefined && this.isHeld(run) ? { status: 'CREATED', lost: false } : lost;
  }

  isHeld({ pid, ended }: TrueRun): boolean {
    return !ended && pid !== null && this.processes.lives(pid);
  }

  turnsOf(run: TrueRun, step?: TaskId): readonly Turn[] {
    return this.turns.filter((turn) => turn.run === run.id && (step === undefined || turn.step === step));
  }

  async start(): Promise<void> {
    const id = this.runs.length === 0 ? planRun : `run-${this.runs.length}`;
    const pid = this.processes.spawn();
    await this.store.start(newRun(id, 'truth', null, { concurrency: 2 }));
    this.runs.push({
      id,
      pid: null,
      epoch: 0,
      ended: false,
      halt: 'no',
      stopped: false,
      asks: new Map(),
      proven: new Set(),
      begun: new Set(),
    });
    await this.claim(this.runs.at(-1), pid);
  }

  async claim(run: RunTruth | undefined, pid = this.processes.spawn()): Promise<void> {
    if (run === undefined) return;
    const me: Holder = { id: `p${pid}`, host: 'here', pid, startTime: String(pid), bootId: 'boot' };
    const lives = ({ pid: other }: Holder): boolean => this.processes.lives(other);
    const claim = await askPastGone(lives, (gone) =>
      this.store.claim(run.id, { me, monotonic: this.clock.monotonic(), gone }, 1e9),
    );
    if (claim.at !== 'claimed') throw new Error(`${run.id}: ${claim.at}`);
    run.pid = pid;
    run.epoch = claim.image.run.epoch;
  }

  /** The next turn of a step: opened, and launched where there is a slot. */
  async launch(run: RunTruth, step: TaskId): Promise<void> {
    this.launches += 1;
    const key = `${step}${this.turnsOf(run, step).length === 0 ? '' : `/heal-${this.launches}`}@1`;
    const fence = { runId: run.id, epoch: run.epoch };
    if (run.id === planRun && !run.begun.has(step)) {
      const begin = { by: run.id, since: this.clock.wall(), snapshot: null };
      await changeTask(this, 'p', step, ({ state }) => startTask(state, begin));
      run.begun.add(step);
    }
    await this.store.open(fence, { key, kind: 'session', spec: plain({ ...plainSpec }), priority: 0 });
    const session = { ...newSession, baseId: `s${this.launches}` };
    const ask = { tokens: 0, costUsd: 0 };
    const { launched } = await this.store.admit(fence, [{ key, attempt: 1, ask, session }]);
    const id = launched[0]?.sessionId ?? null;
    if (id !== null)
      this.turns.push({ id, run: run.id, step, key, process: 'none', pid: 0, code: 0, recorded: 'no' });
  }

  /** Its launcher declares itself. */
  async spawn(turn: Turn): Promise<void> {
    const dir = this.paths.session(turn.id);
    mkdirSync(dir, { recursive: true });
    turn.pid = this.processes.spawn();
    declareStarted(dir, { pid: turn.pid, startTime: String(turn.pid), bootId: 'boot' }, 'mark');
    writeFileSync(join(dir, 'output.log'), '');
    turn.process = 'alive';
    await Promise.resolve();
  }

  async note(turn: Turn): Promise<void> {
    await this.store.begin({ runId: turn.run, key: turn.key, attempt: 1 });
  }

  exit(turn: Turn, code: number): void {
    const end = { exitCode: code, signal: null, ended: null, problem: null, reason: null };
    recordEnd(this.paths.session(turn.id), end);
    this.processes.kill(turn.pid);
    turn.process = 'exited';
    turn.code = code;
  }

  kill(turn: Turn): void {
    this.processes.kill(turn.pid);
    turn.process = 'gone';
  }

  /** It dies while it writes how its turn ended. */
  tear(turn: Turn): void {
    writeFileSync(join(this.paths.session(turn.id), 'exit'), 'exit 0 - -');
    this.kill(turn);
  }

  async halt(run: RunTruth): Promise<void> {
    await this.store.halt(run.id, 'a person asked for it', 'a person');
    run.halt = 'halting';
  }

  async settleHalt(run: RunTruth): Promise<void> {
    if (!(await this.store.settleHalt({ runId: run.id, epoch: run.epoch })))
      throw new Error(`${run.id} does not halt`);
    run.halt = 'halted';
    run.pid = null;
  }

  async resume(run: RunTruth): Promise<void> {
    await this.store.resume(run.id);
    run.halt = 'no';
    await this.claim(run);
  }

  async stop(run: RunTruth): Promise<void> {
    await this.store.cancel(run.id, 'a person');
    run.stopped = true;
    run.halt = 'no';
  }

  async ask(run: RunTruth, step: TaskId): Promise<void> {
    this.launches += 1;
    const key = `${step}/ask-${this.launches}@1`;
    const question = { key, kind: 'ask', spec: { text: `How is ${key} meant?` }, priority: 0 } as const;
    await this.store.open({ runId: run.id, epoch: run.epoch }, question);
    run.asks.set(step, key);
  }

  async answer(run: RunTruth, step: TaskId): Promise<void> {
    const given = { text: 'like this', by: 'a person', at: this.clock.wall() };
    await this.store.answer(run.id, run.asks.get(step) ?? '', given);
    run.asks.delete(step);
  }

  /** Nothing but questions is left: its process goes. */
  async park(run: RunTruth): Promise<void> {
    const seen = (await this.queries.run(run.id))?.change ?? -1;
    if (!(await this.store.park({ runId: run.id, epoch: run.epoch }, seen)))
      throw new Error(`${run.id} does not park`);
    this.processes.kill(run.pid ?? 0);
    run.pid = null;
  }

  /** The disk refuses what is done meanwhile: nothing of it has happened. */
  async whileFull(deed: () => Promise<void>): Promise<void> {
    this.store.db.exec('pragma query_only = 1');
    const refused = await deed().then(
      () => false,
      () => true,
    );
    this.store.db.exec('pragma query_only = 0');
    if (!refused) throw new Error('a database that cannot be written took a change');
  }

  /** The holder reads what the turn left. */
  async record(turn: Turn): Promise<void> {
    const ref = { runId: turn.run, key: turn.key, attempt: 1 };
    const isLost = turn.process === 'gone';
    const status = isLost || turn.code !== 0 ? 'FAILED' : 'COMPLETED';
    const outcome = status === 'COMPLETED' ? 'SUCCESS' : 'FAILURE';
    const usage = { inputTokens: isLost ? null : tokens, outputTokens: null, costUsd: null };
    const completion = isLost
      ? ({ at: 'lost' } as const)
      : ({ at: 'done', outcome, value: plain({ stop: 'finished' }) } as const);
    await this.store.complete(ref, completion, { status, exitCode: turn.code, outcome, usage });
    turn.recorded = isLost ? 'lost' : 'ended';
    if (turn.run === planRun && !isLost) this.tokens += tokens;
  }

  async prove(run: RunTruth, step: TaskId): Promise<void> {
    const state = { at: 'done', outcome: 'SUCCESS', value: null } as const;
    await this.store.put(
      { runId: run.id, epoch: run.epoch },
      { key: `${step}/verdict@${run.proven.size}`, kind: 'step', attempt: 1, state },
    );
    run.proven.add(step);
  }

  async finish(run: RunTruth, outcome: 'SUCCESS' | 'INTERRUPTED' | 'BUDGET_EXCEEDED'): Promise<void> {
    await this.store.finish({ runId: run.id, epoch: run.epoch }, { outcome, value: null, failure: null });
    run.ended = true;
  }
}
