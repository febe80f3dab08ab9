import { expect, test } from 'vitest';
import { notInSuite, skipBecause } from '../rig/skip-because.ts';
import { testSeed } from '../rig/test-seed.ts';
import { SessionProject } from '../sessions/project.ts';
import { Random } from '../simulation/random.ts';
import { findLies } from './compare.ts';
import { lies } from './lies.ts';
import { RealWorld } from './real-world.ts';
import type { Shown } from './shown.ts';
import type { Truth } from './truth.ts';
import { tutti } from '../rig/program.ts';

/** `TRUTH=many`: a part of the long suite, `all`: the whole. Without it none: each history takes many processes. */
const counts: Readonly<Record<string, number>> = { many: 8, all: 100 };
const count = counts[process.env['TRUTH'] ?? ''] ?? 0;
const limit = { timeout: 3_600_000 };
const deedsOfOne = 4;
const mostLooks = 40;

type Deed = (world: RealWorld, pick: number) => unknown;

/** In this order they show every planted lie. */
const deeds: readonly [Deed, ...Deed[]] = [
  (world) => world.logTokens(),
  (world) => world.create(),
  async (world) => {
    await world.killConductor();
  },
  async (world) => {
    await world.killHolder();
  },
  async (world) => {
    await world.interruptHolder();
  },
  (world) => {
    world.project.go('go');
  },
  async (world, pick) => {
    await world.killLauncher(pick);
  },
  (world) => tutti(world.project.path, 'stop', '--all'),
];

/** Of the first history all, in order; of the others a few. */
function deedsOf(history: number): readonly (readonly [deed: Deed, pick: number])[] {
  if (history === 0) return deeds.map((deed) => [deed, 0]);
  const random = new Random(testSeed * 1000 + history);
  const pick = (): number => Math.floor(random.next() * 1000);
  return Array.from(
    { length: deedsOfOne },
    () => [deeds[pick() % deeds.length] ?? deeds[0], pick()] as const,
  );
}

/** What is shown, compared with facts that were the same before and after it was printed. */
async function look(world: RealWorld, seen: (truth: Truth, shown: Shown) => Promise<void>): Promise<void> {
  for (let n = 0; n < mostLooks; n += 1) {
    const before = await world.facts();
    const shown = await world.shown();
    if ((await world.facts()).text !== before.text) continue;
    await seen(before, shown);
    return;
  }
  throw new Error('the project never stood still');
}

async function play(history: number, seen: (truth: Truth, shown: Shown) => Promise<void>): Promise<void> {
  await using project = new SessionProject();
  const world = new RealWorld(project);
  await world.begin();
  try {
    await world.run();
    await look(world, seen);
    for (const [deed, pick] of deedsOf(history)) {
      await deed(world, pick);
      await look(world, seen);
    }
  } finally {
    await world.end();
  }
}

skipBecause(notInSuite('TRUTH'));

test(`the built program shows the truth in ${count} histories of real processes`, limit, async () => {
  const found = new Set<string>();
  for (let n = 0; n < count; n += 1) {
    await play(n, async (truth, shown) => {
      expect(await findLies(truth, shown), `history ${n}`).toEqual([]);
      for (const [name, lie] of Object.entries(lies))
        if ((await findLies(truth, lie(truth, shown))).length > 0) found.add(name);
    });
  }
  // Control: each planted lie was seen at least once.
  expect([...found].toSorted()).toEqual(Object.keys(lies).toSorted());
});
