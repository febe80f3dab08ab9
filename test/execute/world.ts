import { PendingCalls } from '../rig/pending-calls.ts';
import { reopenEntries } from '../../src/app/runs/run-holder.ts';
import { plain, recorded } from '../../src/lib/json.ts';
import type { BudgetLimits } from '../../src/model/budget.ts';
import { rootStepOf } from '../../src/model/key.ts';
import type { AdvanceEnd } from '../../src/kernel/engine.ts';
import type { ExecuteInput } from '../../src/model/plan/execute-input.ts';
import { SqliteQueries } from '../../src/store/queries.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { executeWorkflow } from '../../src/workflows/plan/execute.ts';
import type { ExecuteValue, TaskVerdict } from '../../src/workflows/plan/task-verdict.ts';
import { engineOf, newRun, workflowsOf } from '../rig/engine.ts';
import { VirtualClock } from '../rig/virtual-clock.ts';
import { type Script, SteeredPlan } from './steered-plan.ts';

export interface Played {
  readonly advanced: AdvanceEnd;
  readonly outcome: string;
  /** By task. */
  readonly verdicts: Readonly<Record<string, TaskVerdict>>;
  readonly tookMs: number;
}

/** The real engine, store and workflow; the machine and the clock are the test's. */
export class ExecuteWorld implements Disposable {
  readonly clock = new VirtualClock();
  readonly store: SqliteStore;
  readonly queries: SqliteQueries;
  readonly machine: SteeredPlan;
  readonly #pending = new PendingCalls();

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
    this.queries = new SqliteQueries(this.store.db);
    this.machine = new SteeredPlan(scripts, (ms, done) => {
      if (ms === 0) done();
      else this.clock.timer(this.clock.wall() + ms, done);
    });
  }

  /** As `tutti execute` does. */
  async submit(input: ExecuteInput, concurrency = 3, budget: Partial<BudgetLimits> = {}): Promise<void> {
    const next = { input: plain(input), limits: { depth: 5, ...budget }, concurrency };
    if ((await this.queries.run('p-execute')) === null) {
      await this.store.start(newRun('p-execute', 'execute', next.input, next));
      return;
    }
    await this.store.amend('p-execute', next);
    const done = new Set(input.tasks.flatMap((entry) => (entry.done === null ? [] : [entry.task.id])));
    await reopenEntries(
      this,
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
    const [store, clock] = [this.#pending.track(this.store), this.#pending.track(this.clock)];
    using engine = engineOf({ store, host: this.machine, clock, workflows });
    for (;;) {
      let over = false;
      const advancing = engine.advance('p-execute', { stay: false }).finally(() => {
        over = true;
      });
      for (;;) {
        await this.#pending.none();
        if (over) break;
        if (passed === haltAfter) await this.store.halt('p-execute', 'the test says so');
        passed += 1;
        this.clock.advance(this.clock.nextDueMs() ?? 0);
      }
      const advanced = await advancing;
      if (!(await this.#answered(answer))) return this.#played(advanced, startedAt);
    }
  }

  async #answered(answer: (question: string) => string | null): Promise<boolean> {
    let any = false;
    for (const { key, question } of await this.queries.openQuestions('p-execute')) {
      const text = answer(question.text);
      if (text === null) continue;
      any = true;
      await this.store.answer('p-execute', key, { text, by: 'test', at: 1 });
    }
    return any;
  }

  #played(advanced: AdvanceEnd, startedAt: number): Played {
    const value = advanced.at === 'ended' ? recorded<ExecuteValue | null>(advanced.end.value) : null;
    return {
      advanced,
      outcome: advanced.at === 'ended' ? advanced.end.outcome : advanced.at,
      verdicts: Object.fromEntries((value?.tasks ?? []).map((verdict) => [verdict.id, verdict])),
      tookMs: this.clock.wall() - startedAt,
    };
  }

  [Symbol.dispose](): void {
    this.store[Symbol.dispose]();
  }
}
