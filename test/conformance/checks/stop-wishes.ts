import { expect } from 'vitest';
import type { StopWish, StopWishes } from '../../../src/model/ports/stop-wishes.ts';
import { withMethods } from '../../rig/cut.ts';
import { check, session, World, type Check } from '../world.ts';

/** Wishes of a test, over a database that takes nothing while it is broken. */
class Wishes implements StopWishes {
  readonly #world: World;
  readonly #wished = new Map<string, StopWish>();
  readonly #subscribers = new Set<() => void>();
  isBroken = true;

  constructor(world: World) {
    this.#world = world;
  }

  keep(runId: string, wish: StopWish): void {
    this.#wished.set(runId, wish);
  }

  want(runId: string, wish: StopWish): void {
    this.keep(runId, wish);
    for (const subscriber of this.#subscribers) subscriber();
  }

  of(runId: string): StopWish | null {
    return this.#wished.get(runId) ?? null;
  }

  async record(runId: string): Promise<void> {
    const wish = this.of(runId);
    if (this.isBroken) throw new Error('the disk is full');
    if (wish === 'stop') await this.#world.store.cancel(runId);
    if (wish === 'halt') await this.#world.store.halt(runId, 'wished');
    this.#wished.delete(runId);
  }

  subscribe(callback: () => void): Disposable {
    this.#subscribers.add(callback);
    return { [Symbol.dispose]: () => this.#subscribers.delete(callback) };
  }

  sawHolder(): void {
    // Not of interest here.
  }
}

/** Two turns one after the other, the first at work. */
async function twoTurns(world: World, wishes: Wishes, engine: 'hears' | 'deaf' = 'hears') {
  world.define('w', async (ctx) => {
    await ctx.session('a', session);
    await ctx.session('b', session);
    return null;
  });
  await world.start('r');
  const broken = withMethods(world.store, {
    complete: (...args) =>
      wishes.isBroken ? Promise.reject(new Error('the disk is full')) : world.store.complete(...args),
  });
  const advanced = world
    .engine(1, { store: broken, ...(engine === 'hears' ? { wishes } : {}) })
    .advance('r', { stay: true });
  advanced.catch(() => undefined);
  await world.quiet();
  return { advanced };
}

export const stopWishes: readonly Check[] = [
  check(
    'a stop that the database cannot take ends every process and launches nothing later',
    async (subject) => {
      using world = new World(subject);
      const wishes = new Wishes(world);
      const { advanced } = await twoTurns(world, wishes);
      wishes.want('r', 'stop');
      await expect(world.now(advanced)).rejects.toThrow('the disk is full');
      expect(world.host.running()).toEqual([]);
      // There is space again: whoever claims the run finds the wish before anything else.
      wishes.isBroken = false;
      world.kill(1);
      const next = await world.now(world.engine(2, { wishes }).advance('r', { stay: false }));
      expect(next).toMatchObject({ at: 'ended', end: { outcome: 'INTERRUPTED' } });
      expect(world.host.launches).toEqual(['r#a#1']);
      expect(wishes.of('r')).toBeNull();
    },
  ),

  check('a turn that another process killed for a kept stop has no result', async (subject) => {
    using world = new World(subject);
    const wishes = new Wishes(world);
    wishes.isBroken = false;
    const { advanced } = await twoTurns(world, wishes);
    // Kept in a file by another process, which rings no bell here.
    wishes.keep('r', 'stop');
    world.host.finish('r#a#1', { at: 'done', outcome: 'INTERRUPTED', value: null });
    expect(await world.now(advanced)).toMatchObject({ at: 'ended', end: { outcome: 'INTERRUPTED' } });
    expect(await world.states()).toMatchObject({ a: 'dropped' });
  }),

  check(
    'an engine that knows no wishes launches the next turn: the check above can fail',
    async (subject) => {
      using world = new World(subject);
      const wishes = new Wishes(world);
      wishes.isBroken = false;
      await twoTurns(world, wishes, 'deaf');
      wishes.want('r', 'stop');
      world.host.done('r#a#1', 'one');
      await world.quiet();
      expect(world.host.launches).toEqual(['r#a#1', 'r#b#1']);
    },
  ),

  check(
    'a halt that the database cannot take launches nothing, and is recorded once it can be',
    async (subject) => {
      using world = new World(subject);
      const wishes = new Wishes(world);
      wishes.isBroken = false;
      const { advanced } = await twoTurns(world, wishes);
      wishes.isBroken = true;
      wishes.want('r', 'halt');
      await world.quiet();
      expect(world.host.running()).toEqual(['r#a#1']);
      wishes.isBroken = false;
      world.host.done('r#a#1', 'one');
      expect(await world.now(advanced)).toEqual({ at: 'halted' });
      expect(world.host.launches).toEqual(['r#a#1']);
    },
  ),
];
