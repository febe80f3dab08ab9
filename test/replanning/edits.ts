import { Random } from '../simulation/random.ts';
import {
  EditedPlan,
  type Forecast,
  type Making,
  type Planted,
  size,
  specificationOf,
  taskOf,
} from './edited-plan.ts';

/** What was found wrong, in words; none: everything is as it should be. */
export interface Editing {
  readonly did: readonly string[];
  readonly wrong: readonly string[];
}

/** What a person does between two plannings. */
type Edit = 'task' | 'phase' | 'behavior' | 'prose' | 'both' | 'add' | 'remove' | 'reformatted';

const weights: Readonly<Record<Edit, number>> = {
  task: 4,
  phase: 2,
  behavior: 4,
  prose: 1,
  both: 4,
  add: 1,
  remove: 1,
  reformatted: 2,
};

/** A person at their plan: what the specification says, which tasks are theirs, and whether they give them away. */
class Person {
  readonly wishes = new Map(
    Array.from({ length: size }, (_, index) => [index + 1, `keeps record ${index + 1}`]),
  );
  prose = 'Nothing here is in a hurry.';
  /** Texts of the tasks that are theirs. */
  readonly mine = new Map<string, string>();
  /** Tasks whose phase they changed or gave away when they were asked about it, since they last acted. */
  readonly reconsidered = new Set<string>();
  readonly #random: Random;
  /** The task whose phase they changed when they last acted, as it was before. */
  #lastPhase: { readonly id: string; readonly text: string; readonly isMine: boolean } | null = null;
  #n = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  get specification(): string {
    return specificationOf(this.wishes, this.prose);
  }

  /** Changes files of the plan and the specification; returns what was done, in words. */
  act(plan: EditedPlan): string {
    const edit = this.#random.weighted(weights);
    this.#n += 1;
    this.reconsidered.clear();
    this.#lastPhase = null;
    plan.mood(...(edit === 'reformatted' ? [['definition', 'reformat'] as const] : []));
    switch (edit) {
      case 'task':
        return `${edit} ${this.#editTask(plan)}`;
      case 'phase': {
        const id = this.#pickTask(plan);
        const next = plan.task(id).phase + 1;
        // A task may stand in a later phase than what it needs, not in an earlier one than what needs it.
        const followers = plan.ids().filter((other) => plan.task(other).dependencies.tasks.includes(id));
        if (followers.some((other) => plan.task(other).phase < next)) return `${edit} left alone`;
        this.#lastPhase = { id, text: plan.text(id), isMine: this.mine.has(id) };
        plan.edit(id, { phase: next });
        this.mine.set(id, plan.text(id));
        return `${edit} ${id}`;
      }
      case 'behavior':
      case 'reformatted':
        return `${edit} ${this.#changeWish()}`;
      case 'prose':
        this.prose = `Nothing here is in a hurry, said ${this.#n} times.`;
        return edit;
      case 'both':
        return `${edit} ${this.#editTask(plan)} ${this.#changeWish()}`;
      case 'add': {
        const next = Math.max(...this.wishes.keys()) + 1;
        this.wishes.set(next, `keeps record ${next}`);
        return `${edit} B${next}`;
      }
      case 'remove': {
        const last = Math.max(...this.wishes.keys());
        if (this.mine.has(taskOf(last))) return `${edit} left alone`;
        this.wishes.delete(last);
        return `${edit} B${last}`;
      }
    }
  }

  #pickTask(plan: EditedPlan): string {
    return this.#random.pick(plan.ids()) ?? 'T001';
  }

  #editTask(plan: EditedPlan): string {
    const id = this.#pickTask(plan);
    const [first, ...others] = plan.task(id).acceptance_criteria;
    if (first === undefined) throw new Error(`${id} has no criterion`);
    const criterion = `All tests of ${id} pass without a failure, for the ${this.#n}th time`;
    plan.edit(id, { acceptance_criteria: [{ ...first, criterion }, ...others] });
    this.mine.set(id, plan.text(id));
    return id;
  }

  #changeWish(): string {
    const n = this.#random.pick([...this.wishes.keys()]) ?? 1;
    this.wishes.set(n, `keeps record ${n} in the ${this.#n}th way`);
    return `B${n}`;
  }

  /** Mostly they keep what is theirs. */
  answer(plan: EditedPlan, question: string): string {
    const misfits = /the phase that you gave (.*) does not fit/.exec(question)?.[1]?.split(', ');
    if (misfits !== undefined) return this.#reconsider(plan, misfits);
    const named = /changed (.*), and you had edited/.exec(question)?.[1]?.split(', ');
    if (named === undefined) throw new Error(`an unexpected question: ${question}`);
    if (this.#random.chance(0.7)) return 'keep mine';
    for (const id of named) this.mine.delete(id);
    return 'take the new one';
  }

  /** A phase that they have just chosen and that does not fit goes back to what it was, or to the auditor. */
  #reconsider(plan: EditedPlan, misfits: readonly string[]): string {
    for (const id of misfits) this.reconsidered.add(id);
    const last = this.#lastPhase;
    if (last !== null && misfits.join() === last.id && this.#random.chance(0.5)) {
      plan.write(last.id, last.text);
      if (last.isMine) this.mine.set(last.id, last.text);
      else this.mine.delete(last.id);
      return 'edited';
    }
    for (const id of misfits) this.mine.delete(id);
    return 'auditor';
  }
}

/** So many edits, each followed by planning and execution; what is wrong after each is said. */
export async function editAndReplan(seed: number, edits: number, planted: Planted = null): Promise<Editing> {
  const random = new Random(seed);
  const making: Making = random.chance(0.5) ? 'stable' : 'spreading';
  const person = new Person(random);
  const [did, wrong]: [string[], string[]] = [[making], []];
  using plan = await EditedPlan.open(person.specification, planted, making);
  await plan.plan(person.specification, () => '');
  await plan.execute();
  for (let n = 0; n < edits; n += 1) {
    const before = plan.phases();
    did.push(person.act(plan));
    const edited = plan.phases();
    await plan.plan(person.specification, (question) => person.answer(plan, question));
    const forecast = await plan.forecast();
    const { tasks, turns } = await plan.execute();
    const said = [
      ...lostEdits(plan, person),
      ...movedPhases(before, edited, plan.phases())
        .filter(([id]) => !person.reconsidered.has(id))
        .map(([, words]) => words),
      ...otherLaunches(forecast, making, tasks, turns),
    ];
    wrong.push(...said.map((words) => `after ${did.at(-1)}: ${words}`));
  }
  return { did, wrong };
}

function lostEdits(plan: EditedPlan, { mine }: Person): readonly string[] {
  return [...mine].flatMap(([id, text]) => (plan.text(id) === text ? [] : [`the edit of ${id} is lost`]));
}

type Phases = ReturnType<EditedPlan['phases']>;

/** Of tasks that are the same work as before planning, as the person left them. */
function movedPhases(
  before: Phases,
  edited: Phases,
  now: Phases,
): readonly (readonly [id: string, words: string])[] {
  return [...now].flatMap(([id, [work, phase]]) => {
    const known = edited.get(id);
    const isSame = known?.[0] === work && before.get(id)?.[0] === work;
    return isSame && known[1] !== phase
      ? [[id, `${id} moved from phase ${known[1]} to ${phase}`] as const]
      : [];
  });
}

function otherLaunches(
  { open, mayFollow, launches }: Forecast,
  making: Making,
  tasks: readonly string[],
  turns: number,
): readonly string[] {
  const expected = (making === 'stable' ? open : [...open, ...mayFollow]).toSorted().join(' ');
  const found = tasks.join(' ');
  return [
    ...(expected === found ? [] : [`the forecast names '${expected}', and '${found}' were launched`]),
    ...(making === 'spreading' || launches === turns
      ? []
      : [`${launches} launches were forecast, and ${turns} made`]),
  ];
}
