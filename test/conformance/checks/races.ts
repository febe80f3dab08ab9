import { expect } from 'vitest';
import type { Ctx } from '../../../src/kernel/ctx.ts';
import { check, here, operate, session, World, type Check } from '../world.ts';

const orTimeout = (ctx: Ctx) =>
  ctx.race<string>('first', {
    work: (c) => c.session('work', session).then(() => 'WORK'),
    timeout: (c) => c.sleep('timeout', 1000).then(() => 'TIMEOUT'),
  });

export const races: readonly Check[] = [
  check('the loser of a race is ended, and its late result is nothing', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run(orTimeout);
    expect(world.host.running()).toEqual(['r#work#1']);
    await world.pass(1000);
    expect(await world.value(advanced)).toBe('TIMEOUT');
    expect(world.host.running()).toEqual([]);
    expect(world.host.ended).toEqual(['r#work#1']);
    expect(await world.states()).toEqual({ first: 'done', work: 'dropped', timeout: 'done' });
    expect(world.data.slots()).toBe(0);
  }),

  check('a sleeping loser does not go off later', async (subject) => {
    using world = new World(subject);
    await world.run(async (ctx) => {
      const won = await orTimeout(ctx);
      await ctx.ask('q', { text: '?' });
      return won;
    });
    world.host.done('r#work#1');
    await world.quiet();
    await world.pass(5000);
    expect(await world.states()).toMatchObject({ timeout: 'dropped', q: 'open' });
    expect(world.clock.nextDueMs()).toBeNull();
  }),

  check('a recorded winner stays the winner, and the losers are not even started again', async (subject) => {
    using world = new World(subject);
    await world.run(async (ctx) => {
      const won = await orTimeout(ctx);
      await ctx.ask('q', { text: '?' });
      return won;
    });
    await world.pass(1000);
    world.kill(1);
    const advanced = world.engine(2).advance('r', { stay: true });
    await world.quiet();
    await world.store.answer('r', 'q', { text: 'x', by: 'me', at: 1 });
    expect(await world.value(advanced)).toBe('TIMEOUT');
    expect(world.host.launches).toEqual(['r#work#1']);
  }),

  check(
    'a crash between the winner’s record and the loser’s end: the next driver ends the loser',
    async (subject) => {
      using world = new World(subject);
      const { advanced } = await world.run(async (ctx) => {
        const won = await orTimeout(ctx);
        await ctx.ask('q', { text: '?' });
        return won;
      });
      // The driver of epoch 1 got as far as recording the winner.
      const fence = { runId: 'r', epoch: 1 };
      const value = { winner: 'timeout', losers: ['work'] };
      const state = { at: 'done', outcome: 'SUCCESS', value } as const;
      await world.store.put(fence, { key: 'first', kind: 'race', attempt: 1, state });
      world.kill(1);
      void advanced;
      void world.engine(2).advance('r', { stay: true });
      await world.quiet();
      expect(world.host.running()).toEqual([]);
      expect(await world.states()).toMatchObject({ work: 'dropped', timeout: 'open' });
    },
  ),

  check(
    'a crash between the drop and the end of the process: the next driver ends it, task or session',
    async (subject) => {
      using world = new World(subject);
      const { advanced } = await world.run(async (ctx) => {
        await ctx.race<unknown>('first', {
          work: (c) => c.all<unknown>([() => c.session('s', session), () => operate(c, 't', here)]),
          timeout: (c) => c.sleep('timeout', 1000),
        });
        await ctx.ask('q', { text: '?' });
        return null;
      });
      const fence = { runId: 'r', epoch: 1 };
      const state = { at: 'done', outcome: 'SUCCESS', value: 'timeout' } as const;
      await world.store.put(fence, { key: 'first', kind: 'race', attempt: 1, state });
      await world.store.drop(fence, ['s', 't']);
      world.kill(1);
      void advanced;
      expect(world.host.running()).toEqual(['r#s#1', 'r#t#1']);
      expect(world.data.slots()).toBe(2);
      void world.engine(2).advance('r', { stay: true });
      await world.quiet();
      expect(world.host.running()).toEqual([]);
      expect(world.data.slots()).toBe(0);
      expect((await world.data.queries.sessions.ofRun('r')).map(({ status }) => status)).toEqual([
        'COMPLETED',
      ]);
    },
  ),

  check('a race inside a losing branch loses everything it started, at once', async (subject) => {
    using world = new World(subject);
    await world.run(async (ctx) => {
      await ctx.race<unknown>('outer', {
        inner: (c) =>
          c.race<unknown>('inner', {
            x: (d) => d.session('x', session),
            y: (d) => operate(d, 'y', here),
          }),
        timeout: (c) => c.sleep('timeout', 1000),
      });
      await ctx.ask('q', { text: '?' });
      return null;
    });
    expect(world.host.running()).toHaveLength(2);
    await world.pass(1000);
    expect(await world.states()).toMatchObject({ x: 'dropped', y: 'dropped', q: 'open' });
    expect(world.host.running()).toEqual([]);
  }),

  check('a loser that only waited for a slot does not stand in anybody’s way', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run(
      async (ctx) => {
        await ctx.all<unknown>([
          () => operate(ctx, 'busy', { ...here, priority: 10 }),
          () =>
            ctx.race<unknown>('first', {
              queued: (c) => c.session('queued', { ...session, priority: 9 }),
              timeout: (c) => c.sleep('timeout', 1000),
            }),
        ]);
        await operate(ctx, 'next', here);
        return 'all';
      },
      { concurrency: 1 },
    );
    await world.pass(1000);
    expect(await world.states()).toMatchObject({ queued: 'dropped' });
    world.host.done('r#busy#1');
    await world.quiet();
    expect(world.host.running()).toEqual(['r#next#1']);
    world.host.done('r#next#1');
    expect(await world.value(advanced)).toBe('all');
    expect(world.host.launches).not.toContain('r#queued#1');
  }),
];
