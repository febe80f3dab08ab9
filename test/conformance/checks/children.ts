import { expect } from 'vitest';
import { plain } from '../../../src/lib/json.ts';
import { childRunId } from '../../../src/model/key.ts';
import { withMethods } from '../../rig/cut.ts';
import { check, childValue, session, World, type Check } from '../world.ts';

const kid = childRunId('r', 'kid');

export const children: readonly Check[] = [
  check('a child comes back with outcome, value and failure, however it ended', async (subject) => {
    using world = new World(subject);
    const partial = { outcome: 'PARTIAL_SUCCESS', message: 'half of it' } as const;
    world.define('good', (ctx, input) => ctx.step('k', () => ({ got: input })));
    world.define('half', (ctx) => ctx.step('k', () => ({ half: true })), { end: () => partial });
    world.define('bad', (ctx) =>
      ctx.step('k', () => {
        throw new Error('no');
      }),
    );
    const { advanced } = await world.run(async (ctx) => {
      const ends = await ctx.all(['good', 'half', 'bad'].map((name) => () => ctx.child(name, name, 42)));
      return plain(ends);
    });
    expect(await world.value(advanced)).toMatchObject([
      { outcome: 'SUCCESS', value: { got: 42 }, failure: null },
      { outcome: 'PARTIAL_SUCCESS', value: { half: true }, failure: { message: 'half of it' } },
      { outcome: 'FAILURE', value: null, failure: { message: 'k: no' } },
    ]);
  }),

  check('after a restart a child goes on where it was, and is started once', async (subject) => {
    using world = new World(subject);
    const ran: string[] = [];
    world.define('kid', async (ctx) => {
      await ctx.step('k', () => {
        ran.push('k');
        return null;
      });
      await ctx.session('s', session);
      return 'grown';
    });
    await world.run((ctx) => childValue(ctx, 'kid', 'kid'));
    world.kill(1);
    const advanced = world.engine(2).advance('r', { stay: true });
    await world.quiet();
    world.host.done(`${kid}#s#1`);
    expect(await world.value(advanced)).toBe('grown');
    expect(ran).toEqual(['k']);
    expect(world.host.launches).toEqual([`${kid}#s#1`]);
  }),

  check('stopping a run stops everything below it, down to the processes', async (subject) => {
    using world = new World(subject);
    world.define('grandkid', (ctx) => ctx.session('deep', session).then(() => null));
    world.define('kid', (ctx) =>
      ctx
        .all<unknown>([() => ctx.session('s', session), () => childValue(ctx, 'kid', 'grandkid')])
        .then(() => null),
    );
    const { advanced } = await world.run((ctx) => childValue(ctx, 'kid', 'kid'));
    expect(world.host.running()).toHaveLength(2);
    await world.store.cancel('r');
    expect(await world.now(advanced)).toMatchObject({ end: { outcome: 'INTERRUPTED' } });
    expect(world.host.running()).toEqual([]);
    expect((await world.data.queries.runs(null)).map(({ state }) => state.at)).toEqual([
      'ended',
      'ended',
      'ended',
    ]);
  }),

  check('a child that loses a race is stopped, and its processes with it', async (subject) => {
    using world = new World(subject);
    world.define('kid', (ctx) => ctx.session('s', session).then(() => 'kid'));
    const { advanced } = await world.run((ctx) =>
      ctx
        .race<unknown>('first', {
          kid: (c) => childValue(c, 'kid', 'kid'),
          timeout: (c) => c.sleep('timeout', 1000),
        })
        .then(() => 'over'),
    );
    expect(world.host.running()).toEqual([`${kid}#s#1`]);
    await world.pass(1000);
    expect(await world.value(advanced)).toBe('over');
    expect(world.host.running()).toEqual([]);
    expect((await world.data.queries.run(kid))?.state).toMatchObject({ at: 'ended', outcome: 'INTERRUPTED' });
  }),

  check(
    'a stopped child that is wanted again goes on, although its end was already under way',
    async (subject) => {
      using world = new World(subject);
      world.define('kid', async (ctx) => {
        await ctx.session('s', session);
        return 'grown';
      });
      const { advanced } = await world.run((ctx) => childValue(ctx, 'kid', 'kid'));
      await world.store.cancel('r');
      await world.now(advanced);
      await world.store.resume('r');
      const again = world.engine(2).advance('r', { stay: true });
      await world.quiet();
      expect(world.host.running()).toEqual([`${kid}#s#2`]);
      world.host.done(`${kid}#s#2`);
      expect(await world.value(again)).toBe('grown');
    },
  ),

  check(
    'the end of a child whose stop came first does not answer the parent’s next attempt',
    async (subject) => {
      using world = new World(subject);
      await world.start('r');
      const { run } = await world.claim('r');
      const fence = { runId: 'r', epoch: run.epoch };
      const open = {
        key: 'kid',
        kind: 'child',
        spec: { workflow: 'kid', input: null },
        priority: 0,
      } as const;
      await world.store.open(fence, open);
      const child = await world.claim(kid);
      const childFence = { runId: kid, epoch: child.run.epoch };
      await world.store.drop(fence, ['kid']);
      expect((await world.store.news(childFence, 0)).cancelled).toBe(true);
      await world.store.open(fence, open);
      const stopped = { outcome: 'INTERRUPTED', value: null, failure: null } as const;
      await expect(world.store.finish(childFence, stopped)).rejects.toThrow('no longer valid');
      expect(await world.entry('kid')).toMatchObject({ attempt: 2, state: { at: 'open' } });
      expect(await world.data.queries.run(kid)).toMatchObject({ cancelled: false, state: { at: 'running' } });
    },
  ),

  check('a parent and its child that wait for people park together and wake together', async (subject) => {
    using world = new World(subject);
    world.define('kid', (ctx) => ctx.ask('q', { text: '?' }).then(({ text }) => text));
    world.define('w', (ctx) => childValue(ctx, 'kid', 'kid'));
    await world.start('r');
    const engine = world.engine();
    expect(await world.now(engine.advance('r', { stay: false }))).toEqual({ at: 'parked' });
    await world.quiet();
    await world.store.answer(kid, 'q', { text: 'good', by: 'me', at: 1 });
    await world.quiet();
    expect((await world.data.queries.run('r'))?.state).toMatchObject({ at: 'ended', value: 'good' });
  }),

  check('a crash right after a child was stopped: the next driver of the parent ends it', async (subject) => {
    using world = new World(subject);
    world.define('kid', (ctx) => ctx.session('s', session).then(() => 'kid'));
    await world.run((ctx) =>
      ctx
        .race<unknown>('first', {
          kid: (c) => childValue(c, 'kid', 'kid'),
          now: (c) => c.sleep('timeout', 1000),
        })
        .then(() => 'over'),
    );
    const state = { at: 'done', outcome: 'SUCCESS', value: 'now' } as const;
    const fence = { runId: 'r', epoch: 1 };
    await world.store.put(fence, { key: 'first', kind: 'race', attempt: 1, state });
    await world.store.drop(fence, ['kid']);
    world.kill(1);
    const advanced = world.engine(2).advance('r', { stay: true });
    await world.quiet();
    await world.pass(1000);
    expect(await world.value(advanced)).toBe('over');
    expect(world.host.running()).toEqual([]);
    expect((await world.data.queries.run(kid))?.state).toMatchObject({ at: 'ended', outcome: 'INTERRUPTED' });
  }),

  check('a child held by another process is ours again when that process dies', async (subject) => {
    using world = new World(subject);
    world.define('kid', (ctx) => ctx.step('k', () => 'grown'));
    world.define('w', async (ctx) => {
      await ctx.sleep('first', 1000);
      return childValue(ctx, 'kid', 'kid');
    });
    await world.start('r');
    // Another process is faster: it takes the child in the moment it exists.
    const { store } = world;
    const racing = withMethods(store, {
      open: async (...args) => {
        const opened = await store.open(...args);
        if (args[1].kind === 'child') await world.claim(kid, 9, 3_600_000);
        return opened;
      },
    });
    const advanced = world.engine(1, { store: racing }).advance('r', { stay: true });
    await world.quiet();
    await world.pass(1000);
    expect(await world.data.queries.run(kid)).toMatchObject({ epoch: 1, state: { at: 'running' } });
    world.kill(9);
    await world.pass(30_000);
    expect(await world.value(advanced)).toBe('grown');
  }),

  check('a child’s id that another run has is refused, not shared', async (subject) => {
    using world = new World(subject);
    world.define('kid', () => Promise.resolve(null));
    await world.start(kid, null, { workflow: 'kid' });
    world.define('w', (ctx) => childValue(ctx, 'kid', 'kid'));
    await world.start('r');
    await expect(world.now(world.engine().advance('r', { stay: true }))).rejects.toThrow(
      'which another run has',
    );
  }),

  check('a child that cannot be driven breaks the run that waits for it, and no other', async (subject) => {
    using world = new World(subject);
    world.define('lone', (ctx) => ctx.ask('q', { text: '?' }).then(() => 'fine'));
    world.define('w', (ctx) => childValue(ctx, 'kid', 'nobody has this'));
    await world.start('r');
    await world.start('other', null, { workflow: 'lone' });
    const engine = world.engine();
    const lone = engine.advance('other', { stay: true });
    await expect(world.now(engine.advance('r', { stay: true }))).rejects.toThrow("'nobody has this'");
    await world.store.answer('other', 'q', { text: 'x', by: 'me', at: 1 });
    expect(await world.value(lone)).toBe('fine');
  }),
];
