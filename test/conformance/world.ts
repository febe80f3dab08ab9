import { expect } from 'vitest';
import { reopenEntries } from '../../src/app/runs/run-holder.ts';
import { askPastGone } from '../../src/kernel/past-gone.ts';
import { type Ctx, type OperationOptions, StepFailed, type Workflow } from '../../src/kernel/ctx.ts';
import type { AdvanceEnd, Engine } from '../../src/kernel/engine.ts';
import type { Json } from '../../src/lib/json.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { Holder } from '../../src/model/holder.ts';
import type { Changer } from '../../src/model/lease.ts';
import type { Clock } from '../../src/model/ports/clock.ts';
import type { Host } from '../../src/model/ports/host.ts';
import type { StopWishes } from '../../src/model/ports/stop-wishes.ts';
import type { ProjectStore } from '../../src/model/ports/project-store.ts';
import type { Claim, NewRun, NewSession, RunImage, Store } from '../../src/model/ports/store.ts';
import type { SessionSpec } from '../../src/model/turn.ts';
import type { Queries } from '../../src/model/ports/queries.ts';
import { cutHost, cutStore, type Life } from '../rig/cut.ts';
import { engineOf, holder, newRun, workflowsOf } from '../rig/engine.ts';
import { SteeredHost } from '../rig/steered-host.ts';
import { VirtualClock } from '../rig/virtual-clock.ts';
import { PendingCalls } from '../rig/pending-calls.ts';
import { plainSpec } from '../rig/session-spec.ts';

export interface Connection {
  readonly clock: Clock;
  readonly maxSessions: number;
  readonly isAlive: (holder: Holder) => boolean;
}

/** A store under test. */
export interface Subject {
  readonly name: string;
  /** Fresh data. */
  open(): Data;
}

export interface Data extends Disposable {
  /** The store as one process sees it; where it has connections, each call makes one more. */
  connect(connection: Connection): ProjectStore;
  /** What is recorded, for the test's eyes. */
  readonly queries: Queries;
  /** How many slots are held, of any run. */
  slots(): number;
  /** Planted bugs only: something between the engine and its host. */
  readonly hostOf?: (host: Host) => Host;
}

export interface Check {
  /** What is promised, in one sentence: the name of the test. */
  readonly promise: string;
  readonly keeps: (subject: Subject) => Promise<void>;
}

/** The value of a child run; its failure is that of the step that started it. */
export async function childValue(ctx: Ctx, key: string, workflow: string): Promise<Json> {
  const { value, failure } = await ctx.child(key, workflow, null);
  if (failure !== null) throw new StepFailed(key, failure);
  return value;
}

type Body = (ctx: Ctx, input: Json) => Promise<Json>;

/** Methods of the ports that the checks of this file have called. */
export const calledMethods = new Set<string>();

/** One project in the test's hand: data, clock, machine, and any number of processes that advance runs. */
export class World implements Disposable {
  readonly clock = new VirtualClock();
  readonly host = new SteeredHost();
  readonly data: Data;
  readonly store: ProjectStore;
  readonly #pending = new PendingCalls();
  readonly #lives = new Map<string, Life>();
  readonly #maxSessions: number;
  readonly #engines: Engine[] = [];
  readonly #workflows = new Map<string, Workflow>();
  readonly #killed: number[] = [];

  constructor(subject: Subject, { maxSessions = 8 } = {}) {
    this.#maxSessions = maxSessions;
    const data = subject.open();
    const queries = (): Queries => this.#pending.track(data.queries, 'queries');
    this.data = {
      connect: (connection) => this.#pending.track(data.connect(connection), 'store'),
      get queries() {
        return queries();
      },
      slots: () => data.slots(),
      ...(data.hostOf === undefined ? {} : { hostOf: data.hostOf }),
      [Symbol.dispose]: () => {
        data[Symbol.dispose]();
      },
    };
    this.store = this.connect();
  }

  connect(): ProjectStore {
    const isAlive = (one: Holder) => this.isAlive(one);
    const connection = { clock: this.clock, maxSessions: this.#maxSessions, isAlive };
    return this.data.connect(connection);
  }

  isAlive(one: Holder): boolean {
    return !this.#life(one.id).gone;
  }

  /** kill -9: what it had asked for may still be committed, but it will never know. */
  kill(n: number): void {
    this.#life(`process-${n}`).gone = true;
    this.#killed.push(n);
  }

  define(name: string, run: Body, rest: Partial<Workflow> = {}): void {
    this.#workflows.set(name, { name, run, ...rest });
  }

  /** The engine of process n, with its own view of the store. */
  engine(
    n = 1,
    parts: { readonly store?: Store; readonly host?: Host; readonly wishes?: StopWishes } = {},
  ): Engine {
    const life = this.#life(`process-${n}`);
    const engine = engineOf({
      store: cutStore(parts.store ?? this.store, life),
      host: cutHost(parts.host ?? this.data.hostOf?.(this.host) ?? this.host, life),
      clock: this.#pending.track(this.clock),
      workflows: workflowsOf(...this.#workflows.values()),
      me: holder(n),
      isAlive: (one) => this.isAlive(one),
      ...(parts.wishes === undefined ? {} : { wishes: parts.wishes }),
    });
    this.#engines.push(engine);
    return engine;
  }

  async start(id: string, input: Json = null, rest: Partial<NewRun> = {}): Promise<void> {
    await this.store.start(newRun(id, rest.workflow ?? 'w', input, rest));
  }

  /** Defines `w`, starts it as run `r` and advances it with process 1. */
  async run(
    body: Body,
    rest: Partial<NewRun> = {},
    workflow: Partial<Workflow> = {},
  ): Promise<{ readonly engine: Engine; readonly advanced: Promise<AdvanceEnd> }> {
    this.define('w', body, workflow);
    await this.start('r', rest.input ?? null, rest);
    const engine = this.engine();
    const advanced = engine.advance('r', { stay: true });
    await this.quiet();
    return { engine, advanced };
  }

  /** Claims as process n without an engine: for what a driver may and may not write. */
  async claim(runId: string, n = 1, leaseMs = 30_000): Promise<RunImage> {
    const claim = await this.claimAs(holder(n), runId, leaseMs);
    if (claim.at !== 'claimed') throw new Error(`run ${runId} was not claimed but ${claim.at}`);
    return claim.image;
  }

  /** What the store says when a process claims that knows which others are dead. */
  claimAs(me: Holder, runId = 'r', leaseMs = 30_000): Promise<Claim> {
    return askPastGone<Claim>(
      (one) => this.isAlive(one),
      (gone) => this.store.claim(runId, { me, monotonic: this.clock.monotonic(), gone }, leaseMs),
    );
  }

  /** Holders that were killed. */
  gone(): readonly Holder[] {
    return this.#killed.map(holder);
  }

  /** Opens the ended entries of run `r` again that are selected. Returns their keys. */
  async reopen(select: (entry: Entry) => boolean, by?: Changer): Promise<readonly string[]> {
    const answer = await reopenEntries({ store: this.store, queries: this.data.queries }, 'r', select, by);
    return answer.at === 'reopened' ? answer.keys : [];
  }

  /** Resolves when everything that can happen without time passing has happened. */
  async quiet(): Promise<void> {
    await this.#pending.none();
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.quiet();
  }

  /** The promise must be settled by now: a run that would wait for ever fails the test instead of hanging it. */
  async now<T>(promise: Promise<T>): Promise<T> {
    promise.catch(() => undefined);
    await this.quiet();
    const late = Symbol('late');
    const found = await Promise.race([promise, Promise.resolve(late)]);
    if (found === late) throw new Error(`it still waits; entries: ${JSON.stringify(await this.states('r'))}`);
    return promise;
  }

  /** The run must have ended with success by now; its value. */
  async value(advanced: Promise<AdvanceEnd>): Promise<Json> {
    const end = await this.now(advanced);
    expect(end).toMatchObject({ at: 'ended', end: { outcome: 'SUCCESS' } });
    return end.at === 'ended' ? end.end.value : null;
  }

  #life(id: string): Life {
    const life = this.#lives.get(id) ?? { gone: false };
    this.#lives.set(id, life);
    return life;
  }

  async entry(key: string, runId = 'r'): Promise<Entry> {
    const found = (await this.data.queries.entries(runId)).find((entry) => entry.key === key);
    if (found === undefined) throw new Error(`${runId} has no entry '${key}'`);
    return found;
  }

  async states(runId = 'r'): Promise<Record<string, string>> {
    return Object.fromEntries(
      (await this.data.queries.entries(runId)).map(({ key, state }) => [key, state.at]),
    );
  }

  async events(runId = 'r'): Promise<readonly string[]> {
    return (await this.data.queries.events(runId, 0)).map(({ event }) => event.type);
  }

  async notes(runId = 'r'): Promise<readonly string[]> {
    return (await this.data.queries.events(runId, 0)).flatMap(({ event }) =>
      event.type === 'note' ? [event.name] : [],
    );
  }

  [Symbol.dispose](): void {
    for (const life of this.#lives.values()) life.gone = true;
    for (const engine of this.#engines) engine[Symbol.dispose]();
    for (const method of this.#pending.called) calledMethods.add(method);
    this.data[Symbol.dispose]();
  }
}

export const session: SessionSpec = {
  ...plainSpec,
  driver: 'replay',
  tier: 'low',
  systemPrompt: '',
  prompt: 'do it',
  workspace: '/work',
};

export const newSession: NewSession = {
  baseId: 'x',
  agent: 'coder',
  driver: 'replay',
  tier: 'low',
  turn: 1,
  continues: null,
  host: 'headless',
  parent: null,
  requester: 'test',
  tags: [],
};

export const here = { workspace: '/work' };

/** An operation whose result is whatever text the test's host returns. */
export function operate(ctx: Ctx, key: string, options: OperationOptions): Promise<string> {
  return ctx.operation(key, 'digest', { globs: [] }, options);
}

export function check(promise: string, keeps: Check['keeps']): Check {
  return { promise, keeps };
}
