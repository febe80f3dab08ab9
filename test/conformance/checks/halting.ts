import { expect } from 'vitest';
import { childRunId } from '../../../src/model/key.ts';
import { check, childValue, here, operate, session, World, type Check } from '../world.ts';

const kid = childRunId('r', 'kid');

export const halting: readonly Check[] = [
  check(
    'a halted run lets finish what is under way, launches nothing more, and goes on when resumed',
    async (subject) => {
      using world = new World(subject);
      const { engine, advanced } = await world.run(
        (ctx) =>
          ctx
            .all<unknown>(['a', 'b', 'c'].map((key) => () => ctx.session(key, session)))
            .then(({ length }) => length),
        { concurrency: 1 },
      );
      expect(await world.store.halt('r', 'lunch')).toBe(true);
      expect(await world.store.halt('r', 'again')).toBe(false);
      await world.quiet();
      expect((await world.data.queries.run('r'))?.state).toEqual({ at: 'halting', reason: 'lunch' });
      world.host.done('r#a#1');
      expect(await world.now(advanced)).toEqual({ at: 'halted' });
      expect(world.host.launches).toEqual(['r#a#1']);
      expect((await world.data.queries.run('r'))?.state).toEqual({ at: 'halted', reason: 'lunch' });
      expect(await world.store.wakeable(null)).toEqual([]);
      expect(await world.store.resume('r')).toEqual({ at: 'resumed' });
      const again = engine.advance('r', { stay: true });
      await world.quiet();
      world.host.done('r#b#1');
      await world.quiet();
      world.host.done('r#c#1');
      expect(await world.value(again)).toBe(3);
      expect(world.host.launches).toEqual(['r#a#1', 'r#b#1', 'r#c#1']);
    },
  ),

  check('who halted or stopped a run is remembered, and a person in place of an agent', async (subject) => {
    using world = new World(subject);
    await world.run((ctx) => ctx.session('a', session).then(() => null));
    const author = async () => (await world.data.queries.run('r'))?.stoppedBy;
    await world.store.halt('r', 'stuck', 'session:s');
    expect(await author()).toBe('session:s');
    await world.store.halt('r', 'lunch', 'user:ada');
    await world.store.halt('r', 'stuck', 'session:s');
    expect(await author()).toBe('user:ada');
    await world.store.resume('r');
    expect(await author()).toBeNull();
    await world.store.halt('r', 'lunch', 'user:ada');
    await world.store.cancel('r', 'session:s');
    expect(await author()).toBe('user:ada');
    await world.store.amend('r', { input: null, concurrency: 8, limits: { depth: 5 } });
    await world.store.cancel('r', 'session:s');
    expect(await author()).toBe('session:s');
    await world.store.cancel('r', 'user:ada');
    expect(await author()).toBe('user:ada');
  }),

  check(
    'a halt reaches children and the runs that sessions started, and so does the resume',
    async (subject) => {
      using world = new World(subject);
      const two = async (run: (key: string) => Promise<unknown>) => {
        await run('a');
        await run('b');
        return 'both';
      };
      world.define('kid', (ctx) => two((key) => ctx.session(key, session)));
      const { engine, advanced } = await world.run((ctx) => childValue(ctx, 'kid', 'kid'));
      await world.start('inner', null, { workflow: 'kid', within: 'r', depth: 1 });
      const inner = engine.advance('inner', { stay: true });
      await world.quiet();
      await world.store.halt('r', 'enough');
      await world.quiet();
      for (const id of world.host.running()) world.host.done(id);
      expect(await world.now(advanced)).toEqual({ at: 'halted' });
      expect(await world.now(inner)).toEqual({ at: 'halted' });
      expect(world.host.launches).toEqual([`${kid}#a#1`, 'inner#a#1']);
      await world.store.resume('r');
      const again = [engine.advance('r', { stay: true }), engine.advance('inner', { stay: true })];
      await world.quiet();
      for (const id of world.host.running()) world.host.done(id);
      for (const one of again) expect(await world.value(one)).toBe('both');
      expect(world.host.launches).toHaveLength(4);
    },
  ),

  check('an amendment of a halted run wakes its children too', async (subject) => {
    using world = new World(subject);
    world.define('kid', async (ctx) => {
      await ctx.session('a', session);
      return ctx.session('b', session).then(() => 'both');
    });
    const { engine, advanced } = await world.run((ctx) => childValue(ctx, 'kid', 'kid'));
    await world.store.halt('r', 'x');
    world.host.done(`${kid}#a#1`);
    expect(await world.now(advanced)).toEqual({ at: 'halted' });
    await world.store.amend('r', { input: null, concurrency: 8, limits: { depth: 5 } });
    const again = engine.advance('r', { stay: true });
    await world.quiet();
    world.host.done(`${kid}#b#1`);
    expect(await world.value(again)).toBe('both');
  }),

  check('a run that is being stopped cannot be halted: it must come to its end', async (subject) => {
    using world = new World(subject);
    await world.run((ctx) => ctx.session('s', session).then(() => null));
    world.kill(1);
    await world.store.cancel('r');
    expect(await world.store.halt('r', 'x')).toBe(false);
    expect(await world.now(world.engine(2).advance('r', { stay: true }))).toMatchObject({
      end: { outcome: 'INTERRUPTED' },
    });
  }),

  check('a halted run that is stopped runs its clean-up when somebody advances it', async (subject) => {
    using world = new World(subject);
    const ran: string[] = [];
    const { engine, advanced } = await world.run(async (ctx) => {
      try {
        return await ctx.ask('q', { text: '?' }).then(({ text }) => text);
      } finally {
        await ctx.step(
          'cleanup',
          () => {
            ran.push('cleanup');
            return null;
          },
          { always: true },
        );
      }
    });
    await world.store.halt('r', 'x');
    expect(await world.now(advanced)).toEqual({ at: 'halted' });
    expect(await world.store.cancel('r')).toBe(true);
    expect(await world.now(engine.advance('r', { stay: true }))).toMatchObject({
      end: { outcome: 'INTERRUPTED' },
    });
    expect(ran).toEqual(['cleanup']);
  }),

  check('a stop also ends the runs that its sessions started', async (subject) => {
    using world = new World(subject);
    world.define('agent-made', (ctx) => operate(ctx, 't', here).then(() => null));
    const { engine, advanced } = await world.run((ctx) => ctx.session('s', session).then(() => null));
    await world.start('inner', null, { workflow: 'agent-made', within: 'r', depth: 1 });
    const inner = engine.advance('inner', { stay: true });
    await world.quiet();
    expect(world.host.running()).toHaveLength(2);
    await world.store.cancel('r');
    expect(await world.now(advanced)).toMatchObject({ end: { outcome: 'INTERRUPTED' } });
    expect(await world.now(inner)).toMatchObject({ end: { outcome: 'INTERRUPTED' } });
    expect(world.host.running()).toEqual([]);
  }),
];
