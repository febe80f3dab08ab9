import { plain, type Json } from '../../src/lib/json.ts';
import type { Host } from '../../src/model/ports/host.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { newRun } from '../rig/engine.ts';
import { withMethods } from '../rig/cut.ts';
import { Invariants } from './invariants.ts';
import { Machine, withSession } from './machine.ts';
import { SimulatedProcess } from './process.ts';
import { programWorkflow, randomProgram } from './program.ts';
import { Random } from './random.ts';
import { leaseMs, SimulatedWorld } from './world.ts';

/** A mistake that can be switched on, to see that the invariants notice. */
export interface Planted {
  readonly store?: (store: SimulatedWorld['store'], machine: Machine) => Partial<Store>;
  readonly host?: (host: Host) => Host;
}

export interface SeedReport {
  readonly breaches: readonly string[];
  readonly trace: readonly string[];
  readonly virtualMs: number;
  readonly crashes: number;
  readonly launches: number;
}

const hourMs = 3_600_000;

export async function simulate(seed: number, planted: Planted = {}): Promise<SeedReport> {
  const simulation = new Simulation(seed, planted);
  try {
    return await simulation.run();
  } finally {
    await simulation.close();
  }
}

class Simulation {
  readonly world: SimulatedWorld;
  readonly #random: Random;
  readonly #grouped: boolean;
  readonly #machine: Machine;
  readonly #invariants: Invariants;
  readonly #host: Host;
  readonly #store: Store;
  readonly #processes: SimulatedProcess[] = [];
  readonly #started: number;
  readonly #concurrency: number;
  /** Runs that people started; two compete for the project's session quota. */
  readonly #roots: readonly string[];
  readonly #programs = new Map<string, Json>();
  #faults = true;

  constructor(seed: number, planted: Planted) {
    this.#random = new Random(seed);
    this.#grouped = this.#random.chance(0.3);
    this.#concurrency = 1 + this.#random.below(3);
    this.#roots = this.#random.chance(0.25) ? ['r', 'q'] : ['r'];
    this.world = new SimulatedWorld(this.#random, this.#grouped);
    this.#invariants = new Invariants(this.world.store, this.#concurrency);
    this.#machine = new Machine(this.#random, (attempt) => {
      this.#invariants.started(this.#machine, attempt);
    });
    this.#host = planted.host?.(this.#machine) ?? this.#machine;
    this.#store = withMethods(this.world.store, planted.store?.(this.world.store, this.#machine) ?? {});
    this.#started = this.world.clock.wall();
  }

  async run(): Promise<SeedReport> {
    for (const id of this.#roots) {
      const program = plain(randomProgram(this.#random));
      this.#programs.set(id, program);
      await this.#settled(
        this.#store.start(newRun(id, 'program', program, { concurrency: this.#concurrency })),
      );
    }
    this.#newProcess();
    for (let left = 8 + this.#random.below(30); left > 0 && !this.#isOver(); left -= 1) {
      await this.#act();
      if (this.#invariants.breaches.length > 0) return this.#report();
    }
    await this.#letItEnd();
    return this.#report();
  }

  /** Nothing of this seed may reach the next one. */
  async close(): Promise<void> {
    for (const process of this.#alive()) process.kill();
    await this.world.quiet();
    this.world.close();
  }

  /** One thing happens. */
  async #act(): Promise<void> {
    const what = this.#random.weighted({
      finish: 10,
      time: 6,
      process: 3,
      kill: 1.5,
      stop: this.#grouped ? 0 : 1,
      answer: 2,
      duplicate: 2,
      jump: 1.5,
      cancel: 0.15,
      halt: 0.3,
      amend: 0.3,
    });
    this.world.trace.push(`> ${what}`);
    await this.#do(what);
    await this.world.quiet();
    this.#invariants.check(this.#machine);
    for (const { n, broken } of this.#processes) {
      if (broken !== null) this.#invariants.breach(`process ${n} failed: ${broken.message}`);
    }
  }

  async #do(what: string): Promise<void> {
    const random = this.#random;
    const { clock } = this.world;
    switch (what) {
      case 'finish': {
        const process = random.pick(this.#machine.running());
        if (process !== undefined) this.world.trace.push(this.#machine.finish(process));
        return;
      }
      case 'time':
        clock.advance(random.chance(0.5) ? (clock.nextDueMs() ?? 1000) : random.below(2 * leaseMs));
        return;
      case 'jump': {
        const far = random.chance(0.5) ? hourMs : 24 * hourMs;
        if (random.chance(0.3)) clock.suspend(far);
        else clock.jump(random.chance(0.5) ? far : -far);
        return;
      }
      case 'process':
        this.#newProcess();
        return;
      case 'kill':
        random.pick(this.#alive())?.kill();
        return;
      case 'stop': {
        const process = random.pick(this.#alive());
        if (process === undefined) return;
        if (process.stopped) process.wake();
        else process.stopped = true;
        return;
      }
      case 'answer':
        await this.#answer(random.pick(this.#questions()) ?? `n${random.below(8)}`);
        return;
      case 'duplicate':
        await this.#duplicate();
        return;
      case 'cancel':
        await this.#settled(this.#store.cancel(this.#anyRoot()));
        return;
      case 'halt':
        await this.#settled(this.#store.halt(this.#anyRoot(), 'chance'));
        return;
      case 'amend':
        await this.#amend();
    }
  }

  #anyRoot(): string {
    return this.#random.pick(this.#roots) ?? 'r';
  }

  /** The same plan once more: everything is kept, and whoever advances the run is fenced. */
  async #amend(): Promise<void> {
    const id = this.#anyRoot();
    if (this.#stateOf(id) === 'ended') return;
    const input = this.#programs.get(id) ?? null;
    await this.#settled(
      this.#store.amend(id, { input, concurrency: this.#concurrency, limits: { depth: 5 } }),
    );
  }

  /** In a grouped world nothing is committed before the scheduler says so. */
  async #settled<T>(transition: Promise<T>): Promise<T | null> {
    const safe = transition.catch(() => null);
    await this.world.quiet();
    return safe;
  }

  async #answer(key: string): Promise<void> {
    const [runId = '', id = key] = key.includes(' ') ? key.split(' ') : [this.#anyRoot(), key];
    const known = this.world.store.db.get('select kind from entries where run = ? and key = ?', runId, id);
    // Nobody answers a question that is none: a key that the program uses for something else would be a broken rule.
    if (known === undefined || known['kind'] !== 'ask') return;
    const accepted = await this.#settled(
      this.#store.answer(runId, id, { text: `answer ${this.#random.below(1000)}`, by: 'x', at: 0 }),
    );
    if (accepted === true) this.#invariants.acknowledged(runId, id);
  }

  /** An end is told once more, or long after its attempt was replaced. */
  async #duplicate(): Promise<void> {
    const ended = this.#random.pick(this.#machine.ended());
    if (ended?.end === undefined || ended.end === null || ended.end === 'barred' || ended.dying) return;
    const { runId, key } = ended.attempt;
    const before = this.world.store.db.get(
      'select attempt from entries where run = ? and key = ?',
      runId,
      key,
    );
    const { completion, session } = withSession(ended.attempt, ended.end);
    const accepted = await this.#settled(this.#store.complete(ended.attempt, completion, session));
    if (accepted === true && before?.['attempt'] !== ended.attempt.attempt) {
      this.#invariants.breach(`a late result of ${runId} ${key} was accepted`);
    }
    if (accepted === true && ended.end.at !== 'lost') this.#invariants.acknowledged(runId, key);
  }

  #newProcess(): void {
    const idle = this.#alive().find(({ advancing }) => advancing.size < this.#roots.length);
    if (idle !== undefined) {
      for (const id of this.#roots) idle.advance(id);
      return;
    }
    // A grouped commit cannot be told apart by process, so there is one at a time.
    if (this.#grouped && this.#alive().length > 0) return;
    if (this.#alive().length >= 3) return;
    const n = this.#processes.length + 1;
    const process: SimulatedProcess = new SimulatedProcess({
      n,
      store: this.#store,
      host: this.#host,
      clock: this.world.clock,
      workflow: programWorkflow({
        stepRuns: (runId, key) => {
          this.#invariants.stepRuns(`process-${n}`, runId, key);
        },
        saw: (runId, key, value: Json) => {
          this.#invariants.saw(runId, key, value);
        },
      }),
      isAlive: ({ id }) => this.#alive().some(({ me }) => me.id === id),
      leaseMs,
      later: this.world.later,
      wrote: (_process, method, fence, accepted) => {
        this.#wrote(method, fence, accepted);
      },
    });
    if (this.#faults && this.#random.chance(0.7)) {
      process.fuse = 1 + this.#random.below(60);
    }
    this.#processes.push(process);
    for (const id of this.#roots) process.advance(id);
  }

  #wrote(method: string, fence: { readonly runId: string; readonly epoch: number }, accepted: boolean): void {
    this.world.trace.push(`${method} ${fence.runId} ${fence.epoch} ${String(accepted)}`);
    if (!accepted || this.#grouped) return;
    // Epochs only rise: what was accepted with an older one than the run has had before is a write of the past.
    const highest = this.#epochs.get(fence.runId) ?? 0;
    if (fence.epoch < highest) this.#invariants.fencedWrite(method, fence.runId, fence.epoch);
    this.#epochs.set(fence.runId, Math.max(highest, fence.epoch));
  }
  readonly #epochs = new Map<string, number>();

  #alive(): readonly SimulatedProcess[] {
    return this.#processes.filter(({ gone }) => !gone);
  }

  #isOver(): boolean {
    return this.#roots.every((id) => this.#stateOf(id) === 'ended');
  }

  #stateOf(id: string): unknown {
    return this.world.store.db.get('select state from runs where id = ?', id)?.['state'];
  }

  #questions(): readonly string[] {
    const rows = this.world.store.db.all(
      `select run, key from entries where kind = 'ask' and state = 'open'`,
    );
    return rows.map((row) => `${String(row['run'])} ${String(row['key'])}`);
  }

  /** Faults stop: from here on everything must come to its end. */
  async #letItEnd(): Promise<void> {
    this.#faults = false;
    this.world.trace.push('> faults stop');
    for (const process of this.#alive()) {
      process.fuse = null;
      if (process.stopped) process.wake();
    }
    await this.world.quiet();
    for (let rounds = 0; rounds < 400 && !this.#isOver(); rounds += 1) {
      for (const id of this.#roots) {
        if (this.#stateOf(id) === 'halted') await this.#settled(this.#store.resume(id));
        if (this.#stateOf(id) !== 'ended' && !this.#alive().some(({ advancing }) => advancing.has(id)))
          this.#newProcess();
      }
      await this.world.quiet();
      for (const process of this.#machine.running()) this.#machine.finish(process);
      for (const question of this.#questions()) await this.#answer(question);
      await this.world.quiet();
      this.world.clock.advance(this.world.clock.nextDueMs() ?? leaseMs);
      await this.world.quiet();
      this.#invariants.check(this.#machine);
      if (this.#invariants.breaches.length > 0) return;
    }
    // The advance returns a little after the run's end is recorded.
    for (let rounds = 0; rounds < 20 && this.#machine.running().length > 0; rounds += 1) {
      for (const process of this.#machine.running()) this.#machine.finish(process);
      await this.world.quiet();
      this.world.clock.advance(leaseMs);
    }
    await this.world.quiet();
    this.#invariants.checkEnd(this.#machine, this.#roots);
  }

  #report(): SeedReport {
    return {
      breaches: this.#invariants.breaches,
      trace: this.world.trace,
      virtualMs: this.world.clock.wall() - this.#started,
      crashes: this.#processes.filter(({ gone }) => gone).length,
      launches: this.#machine.processes.size,
    };
  }
}
