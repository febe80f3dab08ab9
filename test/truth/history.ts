import * as fc from 'fast-check';
import { findLies } from './compare.ts';
import type { Shown } from './shown.ts';
import { taskIds } from './truth.ts';
import { TruthWorld } from './world.ts';

/** What can happen; `pick` chooses to what. */
const deeds = {
  'start a run': (world, _pick) => (world.runs.length < 4 ? () => world.start() : null),
  'claim a run': (world, pick) => {
    const run = choose(
      world.runs.filter((each) => !each.ended && !world.isHeld(each)),
      pick,
    );
    return run === undefined ? null : () => world.claim(run);
  },
  'launch a turn': (world, pick) => {
    const run = choose(held(world), pick);
    const step = choose(taskIds, pick >> 4) ?? 'T001';
    if (run === undefined || run.halted || run.proven.has(step)) return null;
    return () => world.launch(run, step);
  },
  'a launcher declares itself': (world, pick) => {
    const turn = choose(
      world.turns.filter((each) => each.process === 'none' && isHeldTurn(world, each)),
      pick,
    );
    return turn === undefined ? null : () => world.spawn(turn);
  },
  'the start of a turn is recorded': (world, pick) => {
    const turn = choose(
      world.turns.filter((each) => each.process === 'alive' && isHeldTurn(world, each)),
      pick,
    );
    return turn === undefined ? null : () => world.note(turn);
  },
  'a turn ends': (world, pick) => {
    const turn = choose(alive(world), pick);
    return turn === undefined ? null : async () => world.exit(turn, pick % 3 === 0 ? 1 : 0);
  },
  'a launcher is killed': (world, pick) => {
    const turn = choose(alive(world), pick);
    return turn === undefined ? null : async () => world.kill(turn);
  },
  'a holder is killed': (world, pick) => {
    const run = choose(held(world), pick);
    return run === undefined ? null : async () => world.processes.kill(run.pid ?? 0);
  },
  'the end of a turn is recorded': (world, pick) => {
    const over = world.turns.filter(
      (each) =>
        each.recorded === 'no' && isHeldTurn(world, each) && ['exited', 'gone'].includes(each.process),
    );
    const turn = choose(over, pick);
    return turn === undefined ? null : () => world.record(turn);
  },
  'a step is proven': (world, pick) => {
    const run = choose(held(world), pick);
    if (run === undefined) return null;
    const step = taskIds.find(
      (id) =>
        !run.proven.has(id) &&
        world.turnsOf(run, id).length > 0 &&
        world.turnsOf(run, id).every(({ recorded }) => recorded !== 'no'),
    );
    return step === undefined ? null : () => world.prove(run, step);
  },
  'a run ends': (world, pick) => {
    const run = choose(held(world), pick);
    if (run === undefined || world.turnsOf(run).some(({ recorded }) => recorded === 'no')) return null;
    const outcome = choose(['SUCCESS', 'INTERRUPTED', 'BUDGET_EXCEEDED'] as const, pick >> 3) ?? 'SUCCESS';
    return () => world.finish(run, outcome);
  },
  'the clock is set': (world, pick) => async () => world.clock.jump((pick - 500) * 60_000),
  'time passes': (world, pick) => async () => world.clock.advance(pick * 100),
} satisfies Readonly<Record<string, (world: TruthWorld, pick: number) => (() => Promise<void>) | null>>;

function choose<T>(from: readonly T[], pick: number): T | undefined {
  return from[pick % Math.max(1, from.length)];
}

function held(world: TruthWorld): TruthWorld['runs'] {
  return world.runs.filter((run) => world.isHeld(run));
}

function alive(world: TruthWorld): TruthWorld['turns'] {
  return world.turns.filter(({ process }) => process === 'alive');
}

function isHeldTurn(world: TruthWorld, { run }: TruthWorld['turns'][number]): boolean {
  return held(world).some(({ id }) => id === run);
}

/** A deed of a history, after which everything that is shown is compared with the truth. */
class Deed implements fc.AsyncCommand<TruthWorld, () => Shown> {
  readonly #name: keyof typeof deeds;
  readonly #pick: number;

  constructor(name: keyof typeof deeds, pick: number) {
    this.#name = name;
    this.#pick = pick;
  }

  check(world: Readonly<TruthWorld>): boolean {
    return deeds[this.#name](world, this.#pick) !== null;
  }

  async run(world: TruthWorld, shown: () => Shown): Promise<void> {
    await deeds[this.#name](world, this.#pick)?.();
    const found = findLies(world, shown());
    if (found.length > 0) throw new Error(found.join('; '));
  }

  toString(): string {
    return `${this.#name} (${this.#pick})`;
  }
}

const names = Object.keys(deeds) as (keyof typeof deeds)[];
// Runs and turns come often: without them there is nothing to look at.
const weights: Partial<Record<keyof typeof deeds, number>> = { 'start a run': 2, 'launch a turn': 4 };

const anyDeed = fc
  .tuple(
    fc.oneof(...names.map((name) => ({ arbitrary: fc.constant(name), weight: weights[name] ?? 2 }))),
    fc.nat(999),
  )
  .map(([name, pick]) => new Deed(name, pick));

/** Plays random histories; rejects with the shortest one after which something untrue was shown. */
export async function playHistories(
  count: number,
  seed: number,
  look: (world: TruthWorld) => Shown,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.commands([anyDeed], { maxCommands: 40, size: 'max' }), (commands) =>
      fc.asyncModelRun(async () => {
        const world = new TruthWorld();
        await world.begin();
        return { model: world, real: () => look(world) };
      }, commands),
    ),
    { numRuns: count, seed, endOnFailure: false },
  );
}
