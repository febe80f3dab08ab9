import { reopenEntries } from '../../src/app/runs/run-holder.ts';
import type { ExecuteInput, ExecuteTask } from '../../src/model/plan/execute-input.ts';
import { rootStepOf } from '../../src/model/key.ts';
import { inputOf, task } from '../execute/plan.ts';
import type { Script } from '../execute/steered-plan.ts';
import { ExecuteWorld, type Played } from '../execute/world.ts';
import { Random } from '../simulation/random.ts';

/** Tasks whose agents ask, heal, are sent back by the verifier and have to rebase. */
const tasks = [
  task('T001'),
  task('T002', ['T001']),
  task('T003', ['T001']),
  task('T004', ['T002']),
  task('T005', ['T003']),
  task('T006'),
];

const scripts: Readonly<Record<string, Script>> = {
  T001: { takesMs: 50 },
  T002: { takesMs: 30, asks: [['Which one?'], []] },
  T003: { takesMs: 20, accepts: [false, true] },
  T004: { takesMs: 40, verifies: ['failed', 'success'] },
  T005: { takesMs: 10, lands: ['conflict', 'landed'] },
  T006: { takesMs: 60, asks: [['When?'], ['Where?'], []] },
};

const ids = tasks.map(({ id }) => id);

/** What a person does to the run while it is under way. */
type Disturbance = 'execute' | 'task' | 'halt' | 'answer' | 'resume' | 'ceiling';

/** The real workflow, engine and store; the record of the plan is what its operations did. */
export class DisturbedPlan implements Disposable {
  readonly #world = new ExecuteWorld(scripts);
  readonly #planted: 'tries-again' | null;

  /** `planted`: executing again lets the turns of unfinished tasks run again, as the first release did after a ceiling. */
  constructor(planted: 'tries-again' | null = null) {
    this.#planted = planted;
  }

  get turns(): readonly string[] {
    return this.#world.machine.turns.toSorted();
  }

  isDone(): boolean {
    return ids.every((id) => this.#entry(id).done !== null);
  }

  /** `tutti execute`, with these tasks only, this ceiling, and a halt after some of its turns ended. */
  async execute(
    how: {
      readonly tasks?: readonly string[];
      readonly launches?: number;
      readonly haltAfter?: number;
      readonly answers?: boolean;
    } = {},
  ): Promise<Played> {
    const { tasks: selected = null, launches, haltAfter = null, answers = false } = how;
    const input: ExecuteInput = {
      ...inputOf(tasks, { selected }),
      tasks: ids.map((id) => this.#entry(id)),
    };
    await this.#world.submit(input, 3, launches === undefined ? {} : { launches });
    if (this.#planted !== null) {
      const open = new Set(ids.filter((id) => this.#entry(id).done === null));
      await reopenEntries(
        this.#world,
        'p-execute',
        ({ key, kind }) => kind === 'session' && open.has(rootStepOf(key)),
      );
    }
    return this.#world.play(() => (answers ? 'this one' : null), haltAfter);
  }

  async resume(): Promise<void> {
    await this.#world.store.resume('p-execute');
    await this.#world.play();
  }

  /** Answers one open question, and lets the run continue if it has not ended. */
  async answerOne(): Promise<void> {
    let first = true;
    await this.#world.play(() => {
      const said = first ? 'this one' : null;
      first = false;
      return said;
    });
  }

  /** Tasks that could be executed alone. */
  ready(): readonly string[] {
    return tasks
      .filter(({ id, dependencies }) => {
        const isOpen = this.#entry(id).done === null;
        return isOpen && dependencies.tasks.every((need) => this.#entry(need).done !== null);
      })
      .map(({ id }) => id);
  }

  /** As `prepareExecute` reads it from the record. */
  #entry(id: string): ExecuteTask {
    const { machine } = this.#world;
    const [known] = inputOf(tasks.filter((one) => one.id === id)).tasks;
    if (known === undefined) throw new Error(`there is no ${id}`);
    const begun = machine.begun.filter((one) => one === id).length;
    const ended = machine.endings.filter((one) => one.task === id);
    const last = ended.at(-1)?.ending;
    if (last === undefined || begun > ended.length) return { ...known, attempt: Math.max(1, begun) };
    if (last.error !== null) return { ...known, attempt: begun + 1 };
    return { ...known, attempt: begun, done: { produced: `made by ${id}`, basis: null } };
  }

  [Symbol.dispose](): void {
    this.#world[Symbol.dispose]();
  }
}

/** What is paid for when nothing disturbs the run. */
export async function undisturbedTurns(): Promise<readonly string[]> {
  using plan = new DisturbedPlan();
  await plan.execute({ answers: true });
  if (!plan.isDone()) throw new Error('the undisturbed plan is not done');
  return plan.turns;
}

/** A sequence that the seed chooses, and then whatever is left to do. */
export async function disturb(
  seed: number,
  planted: 'tries-again' | null = null,
): Promise<{ readonly did: readonly string[]; readonly turns: readonly string[] }> {
  const random = new Random(seed);
  using plan = new DisturbedPlan(planted);
  const did: string[] = [];
  for (let n = 0; n < 12 && !plan.isDone(); n += 1) {
    const next: Disturbance = random.weighted({
      execute: 2,
      task: 4,
      halt: 3,
      answer: 3,
      resume: 2,
      ceiling: 3,
    });
    did.push(await act(plan, n === 0 && next !== 'task' ? 'execute' : next, random));
  }
  for (let n = 0; n < 5 && !plan.isDone(); n += 1) await plan.execute({ answers: true });
  if (!plan.isDone()) throw new Error(`seed ${seed} does not come to its end: ${did.join(', ')}`);
  return { did, turns: plan.turns };
}

async function act(plan: DisturbedPlan, next: Disturbance, random: Random): Promise<string> {
  switch (next) {
    case 'execute':
      await plan.execute();
      return next;
    case 'task': {
      const id = random.pick(plan.ready()) ?? 'T001';
      await plan.execute({ tasks: [id] });
      return `${next} ${id}`;
    }
    case 'halt': {
      const haltAfter = random.below(6);
      await plan.execute({ haltAfter });
      return `${next} after ${haltAfter}`;
    }
    case 'answer':
      await plan.answerOne();
      return next;
    case 'resume':
      await plan.resume();
      return next;
    case 'ceiling': {
      const launches = plan.turns.length + random.below(3);
      await plan.execute({ launches });
      return `${next} ${launches}`;
    }
  }
}
