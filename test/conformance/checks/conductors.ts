import { expect } from 'vitest';
import { holder } from '../../rig/engine.ts';
import { check, World, type Check } from '../world.ts';

const leaseMs = 30_000;

function take(world: World, n: number, gone = world.gone()) {
  return world.store.takeConductor({ me: holder(n), monotonic: world.clock.monotonic(), gone }, leaseMs);
}

/** As the row has it: under a name of its own. */
const conductor = (n: number) => ({ ...holder(n), id: 'conductor' });

export const conductors: readonly Check[] = [
  check('of many processes that would conduct at once, one does', async (subject) => {
    using world = new World(subject);
    const taken = await Promise.all([1, 2, 3].map((n) => take(world, n)));
    const winners = [1, 2, 3].filter((_, index) => taken[index]?.at === 'taken');
    expect(winners).toHaveLength(1);
    const [n = 0] = winners;
    expect(await world.data.queries.conductor()).toEqual(conductor(n));
    expect(taken.filter(({ at }) => at === 'held')).toEqual(
      Array.from({ length: 2 }, () => ({ at: 'held', by: conductor(n) })),
    );
  }),

  check('a conductor renews its lease, and is replaced when it lapsed, left, or is gone', async (subject) => {
    using world = new World(subject);
    expect(await take(world, 1)).toEqual({ at: 'taken' });
    await world.pass(leaseMs - 1);
    expect(await take(world, 1)).toEqual({ at: 'taken' });
    await world.pass(leaseMs - 1);
    expect(await take(world, 2)).toEqual({ at: 'held', by: conductor(1) });
    await world.pass(1);
    expect(await take(world, 2)).toEqual({ at: 'taken' });
    await world.store.leaveConductor(1);
    expect(await world.data.queries.conductor()).toEqual(conductor(2));
    await world.store.leaveConductor(2);
    expect(await world.data.queries.conductor()).toBeNull();
    expect(await take(world, 3)).toEqual({ at: 'taken' });
    expect(await take(world, 1, [conductor(3)])).toEqual({ at: 'taken' });
    expect(await world.data.queries.holders()).toEqual([conductor(1)]);
  }),
];
