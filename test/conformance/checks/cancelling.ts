import { expect } from 'vitest';
import type { Ctx } from '../../../src/kernel/ctx.ts';
import { withMethods } from '../../rig/cut.ts';
import { check, here, operate, session, World, type Check } from '../world.ts';

const interrupted = { at: 'ended', end: { outcome: 'INTERRUPTED' } };

export const cancelling: readonly Check[] = [
  check('a stopped run ends its processes, runs its always steps, and nothing else', async (subject) => {
    using world = new World(subject);
    const ran: string[] = [];
    const step = (ctx: Ctx, key: string, always: boolean) =>
      ctx.step(
        key,
        () => {
          ran.push(key);
          return null;
        },
        { always },
      );
    const { advanced } = await world.run(async (ctx) => {
      try {
        await ctx.all<unknown>([() => ctx.session('s', session), () => operate(ctx, 't', here)]);
      } catch (error) {
        await step(ctx, 'cleanup', true);
        await step(ctx, 'more work', false);
        throw error;
      }
      return null;
    });
    expect(await world.store.cancel('r')).toBe(true);
    expect(await world.now(advanced)).toMatchObject(interrupted);
    expect(world.host.running()).toEqual([]);
    expect(ran).toEqual(['cleanup']);
    expect(await world.states()).toEqual({ s: 'dropped', t: 'dropped', cleanup: 'done' });
    expect(world.data.slots()).toBe(0);
    expect(await world.store.cancel('r')).toBe(false);
  }),

  check('a stop that comes while the claim is under way is not overlooked', async (subject) => {
    using world = new World(subject);
    world.define('w', (ctx) => ctx.ask('q', { text: '?' }).then(() => null));
    await world.start('r');
    const { store } = world;
    const slow = withMethods(store, {
      claim: async (...args) => {
        const claim = await store.claim(...args);
        await store.cancel('r');
        return claim;
      },
    });
    expect(await world.now(world.engine(1, { store: slow }).advance('r', { stay: true }))).toMatchObject(
      interrupted,
    );
  }),

  check('a running step is told by its signal', async (subject) => {
    using world = new World(subject);
    let told = false;
    const { advanced } = await world.run((ctx) =>
      ctx.step('long', ({ signal }) => {
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            told = true;
            reject(new Error('aborted'));
          });
        });
      }),
    );
    await world.store.cancel('r');
    expect(await world.now(advanced)).toMatchObject(interrupted);
    expect(told).toBe(true);
  }),

  check('a run is not over before its last process is gone', async (subject) => {
    using world = new World(subject);
    world.define('w', (ctx) => operate(ctx, 'stubborn', here).then(() => null));
    await world.start('r');
    const deaf = {
      launch: world.host.launch.bind(world.host),
      adopt: world.host.adopt.bind(world.host),
      end: () => undefined,
    };
    void world.engine(1, { host: deaf }).advance('r', { stay: true });
    await world.quiet();
    await world.store.cancel('r');
    await world.quiet();
    expect((await world.data.queries.run('r'))?.state.at).toBe('running');
    expect(world.data.slots()).toBe(1);
    // It dies of the kill, and the next driver finds the run where it was.
    world.kill(1);
    const advanced = world.engine(2).advance('r', { stay: true });
    expect(await world.now(advanced)).toMatchObject(interrupted);
    expect(world.host.running()).toEqual([]);
    expect(world.data.slots()).toBe(0);
  }),

  check('a run that is stopped while nobody advances it ends when somebody does', async (subject) => {
    using world = new World(subject);
    await world.run((ctx) => ctx.session('s', session).then(() => null));
    world.kill(1);
    await world.store.cancel('r');
    expect(await world.store.wakeable(null)).toEqual(['r']);
    expect(await world.now(world.engine(2).advance('r', { stay: true }))).toMatchObject(interrupted);
    expect(world.host.running()).toEqual([]);
  }),

  check(
    'a stopped run is resumed: what it finished is kept, what was ended has its next attempt',
    async (subject) => {
      using world = new World(subject);
      const ran: string[] = [];
      const { engine, advanced } = await world.run(async (ctx) => {
        await ctx.step('a', () => {
          ran.push('a');
          return null;
        });
        await ctx.session('s', session);
        return 'done';
      });
      await world.store.cancel('r');
      await world.now(advanced);
      expect(await world.store.resume('r')).toEqual({ at: 'resumed' });
      const again = engine.advance('r', { stay: true });
      await world.quiet();
      expect(world.host.launches).toEqual(['r#s#1', 'r#s#2']);
      world.host.done('r#s#2');
      expect(await world.value(again)).toBe('done');
      expect(ran).toEqual(['a']);
      expect(await world.store.resume('r')).toEqual({ at: 'unchanged' });
    },
  ),

  check(
    'a step that has not begun when its run is stopped is not ended, and its first launch is its first attempt',
    async (subject) => {
      using world = new World(subject);
      const { engine, advanced } = await world.run(
        (ctx) =>
          ctx
            .all([(scope) => scope.session('a', session), (scope) => scope.session('b', session)])
            .then(() => 'done'),
        { concurrency: 1 },
      );
      await world.store.cancel('r');
      expect(await world.now(advanced)).toMatchObject(interrupted);
      expect(await world.states('r')).toMatchObject({ a: 'dropped', b: 'open' });
      await world.store.resume('r');
      const again = engine.advance('r', { stay: true });
      for (const key of ['b#1', 'a#2']) {
        await world.quiet();
        world.host.done(`r#${key}`);
      }
      expect(await world.value(again)).toBe('done');
      expect(world.host.launches).toEqual(['r#a#1', 'r#b#1', 'r#a#2']);
    },
  ),

  check(
    'one key never has two processes: the next attempt waits until the dropped one is gone',
    async (subject) => {
      using world = new World(subject);
      world.define('w', (ctx) => ctx.session('s', session).then(() => 'done'));
      await world.start('r');
      const deaf = {
        launch: world.host.launch.bind(world.host),
        adopt: world.host.adopt.bind(world.host),
        end: () => undefined,
      };
      void world.engine(1, { host: deaf }).advance('r', { stay: true });
      await world.quiet();
      await world.store.drop({ runId: 'r', epoch: 1 }, ['s']);
      world.kill(1);
      const advanced = world.engine(2, { host: deaf }).advance('r', { stay: true });
      await world.quiet();
      expect(world.host.running()).toEqual(['r#s#1']);
      expect(await world.entry('s')).toMatchObject({ attempt: 2, state: { at: 'open' } });
      world.host.done('r#s#1', 'too late');
      await world.quiet();
      expect(world.host.running()).toEqual(['r#s#2']);
      world.host.done('r#s#2');
      expect(await world.value(advanced)).toBe('done');
    },
  ),

  check('work that finished by itself in the moment of the stop is kept', async (subject) => {
    using world = new World(subject);
    world.define('w', (ctx) => ctx.session('s', session).then(() => 'done'));
    await world.start('r');
    const { host } = world;
    const tooLate = {
      launch: host.launch.bind(host),
      adopt: host.adopt.bind(host),
      end: () => {
        host.done('r#s#1', 'paid');
        return undefined;
      },
    };
    const first = world.engine(1, { host: tooLate }).advance('r', { stay: true });
    await world.quiet();
    await world.store.cancel('r');
    expect(await world.now(first)).toMatchObject(interrupted);
    expect((await world.entry('s')).state).toMatchObject({ at: 'done', value: 'paid' });
    await world.store.resume('r');
    expect(await world.value(world.engine(2).advance('r', { stay: true }))).toBe('done');
    expect(world.host.launches).toEqual(['r#s#1']);
  }),
];
