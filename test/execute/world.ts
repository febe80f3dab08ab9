import { plain, recorded } from '../../src/lib/json.ts';
import { setProbe } from '../../src/lib/probe.ts';
import type { BudgetLimits } from '../../src/model/budget.ts';
import { rootStepOf } from '../../src/model/key.ts';
import type { Drive } from '../../src/kernel/engine.ts';
import type { ExecuteInput } from '../../src/model/plan/execute-input.ts';
import { Queries } from '../../src/store/queries.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { executeWorkflow } from '../../src/workflows/plan/execute.ts';
import type { ExecuteValue, TaskVerdict } from '../../src/workflows/plan/task-verdict.ts';
import { engineOf, newRun, workflowsOf } from '../rig/engine.ts';
import { VirtualClock } from '../rig/virtual-clock.ts';
import { type Script, SteeredPlan } from './steered-plan.ts';

export interface Played {
  readonly drive: Drive;
  readonly outcome: string;
  /** By task. */
  readonly verdicts: Readonly<Record<string, TaskVerdict>>;
  readonly tookMs: number;
}

/** The real engine, store and workflow; the machine and the clock are the test's. */
export class ExecuteWorld implements Disposable {
  readonly clock = new VirtualClock();
  readonly store: SqliteStore;
  readonly queries: Queries;
  readonly machine: SteeredPlan;
  #probes = 0;

  constructor(scripts: Readonly<Record<string, Script>> = {}) {
    this.store = new SqliteStore({
      path: ':memory:',
      clock: this.clock,
      maxSessions: 50,
      isAlive: () => true,
      schedule: (flush) => {
        flush();
      },
    });
    this.queries = new Queries(this.store.db);
    this.machine = new SteeredPlan(scripts, (ms, done) => {
      if (ms === 0) done();
      else this.clock.timer(this.clock.wall() + ms, done);
    });
    setProbe(() => {
      this.#probes += 1;
    });
  }

  /** As `tutti execute` does. */
  async submit(input: ExecuteInput, concurrency = 3, budget: Partial<BudgetLimits> = {}): Promise<void> {
    const next = { input: plain(input), limits: { depth: 5, ...budget }, concurrency };
    if (this.queries.run('p-execute') === null) {
      await this.store.start(newRun('p-execute', 'execute', next.input, next));
      return;
    }
    await this.store.amend('p-execute', next);
    const done = new Set(input.tasks.flatMap((entry) => (entry.done === null ? [] : [entry.task.id])));
    await this.store.reopen(
      'p-execute',
      ({ key, state }) => state.at === 'failed' && !done.has(rootStepOf(key)),
    );
  }

  /**
   * Until the run is over, or waits for people; answers each question that `answer` knows an answer to. `haltAfter`: how
   * often time passes before the run is halted.
   */
  async play(
    answer: (question: string) => string | null = () => null,
    haltAfter: number | null = null,
  ): Promise<Played> {
    let passed = 0;
    const startedAt = this.clock.wall();
    const workflows = workflowsOf(executeWorkflow);
    using engine = engineOf({ store: this.store, host: this.machine, clock: this.clock, workflows });
    for (;;) {
      let over = false;
      const driving = engine.drive('p-execute', { stay: false }).finally(() => {
        over = true;
      });
      for (;;) {
        await this.#quiet();
        if (over) break;
        if (passed === haltAfter) await this.store.halt('p-execute', 'the test says so');
        passed += 1;
        this.clock.advance(this.clock.nextDueMs() ?? 0);
      }
      const drive = await driving;
      if (!(await this.#answered(answer))) return this.#played(drive, startedAt);
    }
  }

  async #answered(answer: (question: string) => string | null): Promise<boolean> {
    let any = false;
    for (const { key, question } of this.queries.openQuestions('p-execute')) {
      const text = answer(question.text);
      if (text === null) continue;
      any = true;
      await this.store.answer('p-execute', key, { text, by: 'test', at: 1 });
    }
    return any;
  }

  #played(drive: Drive, startedAt: number): Played {
    const value = drive.at === 'ended' ? recorded<ExecuteValue | null>(drive.end.value) : null;
    return {
      drive,
      outcome: drive.at === 'ended' ? drive.end.outcome : drive.at,
      verdicts: Object.fromEntries((value?.tasks ?? []).map((verdict) => [verdict.id, verdict])),
      tookMs: this.clock.wall() - startedAt,
    };
  }

  async #quiet(): Promise<void> {
    for (let seen = -1; seen !== this.#probes; ) {
      seen = this.#probes;
      for (let turns = 0; turns < 4; turns += 1) await this.clock.settle();
    }
  }

  [Symbol.dispose](): void {
    setProbe(null);
    this.store[Symbol.dispose]();
  }
}
