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
      world.runs.filter((each) => !each.ended && each.halt !== 'halted' && !world.isHeld(each)),
      pick,
    );
    return run === undefined ? null : () => world.claim(run);
  },
  'launch a turn': (world, pick) => {
    const run = choose(held(world), pick);
    const step = choose(taskIds, pick >> 4) ?? 'T001';
    if (run === undefined || !launches(run) || run.proven.has(step)) return null;
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
  'a launcher is killed while it records an end': (world, pick) => {
    const turn = choose(alive(world), pick);
    return turn === undefined ? null : async () => world.tear(turn);
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
        !run.asks.has(id) &&
        world.turnsOf(run, id).length > 0 &&
        world.turnsOf(run, id).every(({ recorded }) => recorded !== 'no'),
    );
    return step === undefined ? null : () => world.prove(run, step);
  },
  'a run ends': (world, pick) => {
    const run = choose(held(world), pick);
    if (run === undefined || !isIdle(world, run) || run.asks.size > 0 || run.halt !== 'no') return null;
    const outcomes = run.stopped
      ? (['INTERRUPTED'] as const)
      : (['SUCCESS', 'INTERRUPTED', 'BUDGET_EXCEEDED'] as const);
    return () => world.finish(run, choose(outcomes, pick >> 3) ?? 'SUCCESS');
  },
  'a run is to halt': (world, pick) => {
    const run = choose(world.runs.filter(launches), pick);
    return run === undefined ? null : () => world.halt(run);
  },
  'a run has halted': (world, pick) => {
    const run = choose(
      held(world).filter((each) => each.halt === 'halting' && isIdle(world, each)),
      pick,
    );
    return run === undefined ? null : () => world.settleHalt(run);
  },
  'a run is resumed': (world, pick) => {
    const run = choose(
      world.runs.filter(({ halt }) => halt === 'halted'),
      pick,
    );
    return run === undefined ? null : () => world.resume(run);
  },
  'a run is stopped': (world, pick) => {
    const run = choose(
      world.runs.filter(({ ended, stopped }) => !ended && !stopped),
      pick,
    );
    return run === undefined ? null : () => world.stop(run);
  },
  'a step asks a person': (world, pick) => {
    const run = choose(held(world).filter(launches), pick);
    const step = choose(taskIds, pick >> 4) ?? 'T001';
    if (run === undefined || run.asks.has(step) || run.proven.has(step)) return null;
    return () => world.ask(run, step);
  },
  'a person answers': (world, pick) => {
    const run = choose(
      world.runs.filter(({ asks, ended }) => !ended && asks.size > 0),
      pick,
    );
    const step = choose([...(run?.asks.keys() ?? [])], pick >> 4);
    return run === undefined || step === undefined ? null : () => world.answer(run, step);
  },
  'a run waits for people alone': (world, pick) => {
    const run = choose(
      held(world).filter((each) => launches(each) && each.asks.size > 0 && isIdle(world, each)),
      pick,
    );
    return run === undefined ? null : () => world.park(run);
  },
  'the disk is full': (world, pick) => {
    const run = choose(held(world).filter(launches), pick);
    return run === undefined ? null : () => world.whileFull(() => world.halt(run));
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

/** Nothing of it is launched that was not recorded. */
function isIdle(world: TruthWorld, run: TruthWorld['runs'][number]): boolean {
  return world.turnsOf(run).every(({ recorded }) => recorded !== 'no');
}

function launches({ ended, halt, stopped }: TruthWorld['runs'][number]): boolean {
  return !ended && halt === 'no' && !stopped;
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
    const found = await findLies(world, shown());
    if (found.length > 0) throw new Error(found.join('; '));
  }

  toString(): string {
    return `${this.#name} (${this.#pick})`;
  }
}

const names = Object.keys(deeds) as (keyof typeof deeds)[];
// Runs and turns come often: without them there is nothing to look at.
const weights: Partial<Record<keyof typeof deeds, number>> = {
  'start a run': 2,
  'launch a turn': 6,
  'a launcher declares itself': 4,
  'a turn ends': 3,
  'the end of a turn is recorded': 4,
};

const anyDeed = fc
  .tuple(
    fc.oneof(...names.map((name) => ({ arbitrary: fc.constant(name), weight: weights[name] ?? 1 }))),
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
    fc.asyncProperty(fc.commands([anyDeed], { maxCommands: 60, size: 'max' }), (commands) =>
      fc.asyncModelRun(async () => {
        const world = new TruthWorld();
        await world.begin();
        return { model: world, real: () => look(world) };
      }, commands),
    ),
    { numRuns: count, seed, endOnFailure: false },
  );
}
