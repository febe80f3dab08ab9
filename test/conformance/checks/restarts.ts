import { plain } from '../../../src/lib/json.ts';
import { expect } from 'vitest';
import type { Ctx } from '../../../src/kernel/ctx.ts';
import type { Json } from '../../../src/lib/json.ts';
import { withMethods } from '../../rig/cut.ts';
import { check, here, newSession, operate, session, World, type Check } from '../world.ts';

export const restarts: readonly Check[] = [
  check('a finished step is never run again, whoever advances the run', async (subject) => {
    using world = new World(subject);
    const ran: string[] = [];
    const step = (ctx: Ctx, key: string) =>
      ctx.step(key, () => {
        ran.push(key);
        return key;
      });
    await world.run(async (ctx) => {
      await step(ctx, 'a');
      await ctx.all([1, 2, 3].map((n) => () => step(ctx, `p${n}`)));
      await ctx.session('s', session);
      return step(ctx, 'z');
    });
    for (const n of [2, 3, 4]) {
      world.kill(n - 1);
      void world.engine(n).advance('r', { stay: true });
      await world.quiet();
    }
    world.host.done('r#s#1');
    await world.quiet();
    expect(ran).toEqual(['a', 'p1', 'p2', 'p3', 'z']);
    expect((await world.data.queries.run('r'))?.state).toMatchObject({ at: 'ended', value: 'z' });
  }),

  check('live sessions are adopted: ten branches, a kill in the middle, ten launches', async (subject) => {
    using world = new World(subject, { maxSessions: 20 });
    const branch = (ctx: Ctx, n: number) => async (): Promise<Json> => {
      await ctx.step(`pre${n}`, () => n);
      await ctx.session(`s${n}`, session);
      return ctx.step(`post${n}`, () => 10);
    };
    const body = async (ctx: Ctx) => {
      const parts = await ctx.all(Array.from({ length: 10 }, (_, n) => branch(ctx, n)));
      return parts.length;
    };
    await world.run(body, { concurrency: 6 });
    expect(world.host.running()).toHaveLength(6);
    world.host.done('r#s0#1');
    world.kill(1);
    world.host.done('r#s1#1');
    const advanced = world.engine(2).advance('r', { stay: true });
    await world.quiet();
    while (world.host.running().length > 0) {
      for (const id of world.host.running()) world.host.done(id);
      await world.quiet();
    }
    expect(await world.value(advanced)).toBe(10);
    expect(world.host.launches).toHaveLength(10);
    expect(new Set(world.host.launches).size).toBe(10);
  }),

  check('an intent without a process is lost, and the next attempt is the only process', async (subject) => {
    using world = new World(subject);
    world.define('w', (ctx) => ctx.session('s', session).then(() => 'done'));
    await world.start('r');
    const image = await world.claim('r');
    const fence = { runId: 'r', epoch: image.run.epoch };
    await world.store.open(fence, { key: 's', kind: 'session', spec: plain(session), priority: 0 });
    await world.store.admit(fence, [
      { key: 's', attempt: 1, ask: { tokens: 0, costUsd: 0 }, session: newSession },
    ]);
    world.kill(1);
    const advanced = world.engine(2).advance('r', { stay: true });
    await world.quiet();
    expect(world.host.adopted).toEqual(['r#s#1']);
    expect(world.host.launches).toEqual(['r#s#2']);
    world.host.done('r#s#2');
    expect(await world.value(advanced)).toBe('done');
    expect((await world.data.queries.sessions.ofRun('r')).map(({ status }) => status)).not.toContain(
      'CREATED',
    );
  }),

  check('code may change between restarts: a step inserted, one removed, two swapped', async (subject) => {
    using world = new World(subject);
    const ran: string[] = [];
    const step = (ctx: Ctx, key: string) =>
      ctx.step(key, () => {
        ran.push(key);
        return key;
      });
    await world.run(async (ctx) => {
      await step(ctx, 'a');
      await step(ctx, 'b');
      await step(ctx, 'removed');
      await ctx.session('s', session);
      await ctx.ask('q', { text: '?' });
      return step(ctx, 'z');
    });
    world.host.done('r#s#1', 'S');
    await world.quiet();
    world.kill(1);
    world.define('w', async (ctx) => {
      const keys = [await step(ctx, 'inserted'), await step(ctx, 'b'), await step(ctx, 'a')];
      await ctx.session('s', session);
      await ctx.ask('q', { text: '?' });
      return [...keys, await step(ctx, 'z')];
    });
    const advanced = world.engine(2).advance('r', { stay: true });
    await world.quiet();
    await world.store.answer('r', 'q', { text: 'yes', by: 'me', at: 1 });
    expect(await world.value(advanced)).toEqual(['inserted', 'b', 'a', 'z']);
    expect(ran).toEqual(['a', 'b', 'removed', 'inserted', 'z']);
    expect(world.host.launches).toEqual(['r#s#1']);
  }),

  check(
    'what removed code had opened ends when the function returns, or is never launched',
    async (subject) => {
      using world = new World(subject);
      const old = (ctx: Ctx) =>
        ctx.all<unknown>([
          () => ctx.session('live', session),
          () => operate(ctx, 'queued', here),
          () => ctx.ask('unasked', { text: '?' }),
          () => ctx.ask('q', { text: '?' }),
        ]);
      await world.run((ctx) => old(ctx).then(() => null), { concurrency: 1 });
      expect(await world.states()).toEqual({ live: 'launched', queued: 'open', unasked: 'open', q: 'open' });
      world.kill(1);
      world.define('w', (ctx) => ctx.ask('q', { text: '?' }).then(() => 'fine'));
      const advanced = world.engine(2).advance('r', { stay: true });
      await world.quiet();
      expect(await world.states()).toEqual({ live: 'launched', queued: 'open', unasked: 'open', q: 'open' });
      await world.store.answer('r', 'q', { text: 'yes', by: 'me', at: 1 });
      expect(await world.value(advanced)).toBe('fine');
      expect(world.host.running()).toEqual([]);
      expect(await world.states()).toEqual({
        live: 'dropped',
        queued: 'dropped',
        unasked: 'dropped',
        q: 'done',
      });
      expect(await world.data.queries.openQuestions('r')).toEqual([]);
      expect(world.host.launches).toEqual(['r#live#1']);
    },
  ),

  check(
    'a turn that the function has not come to again yet goes on, and its result counts',
    async (subject) => {
      using world = new World(subject);
      const round = (number: number) => async (ctx: Ctx) => {
        await operate(ctx, `look/${number}`, here);
        await ctx.session('plan', session);
        return ctx.session('check', session).then(() => 'planned');
      };
      await world.run(round(1));
      world.host.done('r#look/1#1');
      await world.quiet();
      for (const n of [2, 3]) {
        world.kill(n - 1);
        // Typed again: the function looks at something else first. The third process dies while it does.
        world.define('w', round(2));
        void world.engine(n).advance('r', { stay: true });
        await world.quiet();
        expect(world.host.running()).toEqual(['r#plan#1', 'r#look/2#1']);
      }
      world.host.done('r#plan#1');
      world.host.done('r#look/2#1');
      await world.quiet();
      expect(world.host.launches).toEqual(['r#look/1#1', 'r#plan#1', 'r#look/2#1', 'r#check#1']);
      expect(world.host.ended).toEqual([]);
    },
  ),

  check('steps that are left out keep their turns and questions; others lose theirs', async (subject) => {
    using world = new World(subject);
    const work = (ctx: Ctx) =>
      ctx.all<unknown>([
        () => ctx.session('left/turn', session),
        () => ctx.ask('left/question', { text: '?' }),
        () => ctx.session('gone/turn', session),
        () => ctx.ask('gone/question', { text: '?' }),
        () => ctx.ask('q', { text: '?' }),
      ]);
    await world.run((ctx) => work(ctx).then(() => null));
    world.kill(1);
    world.define('w', (ctx) => ctx.ask('q', { text: '?' }).then(() => 'some'), {
      stepEnds: () => new Map([['left', 'left']]),
    });
    const advanced = world.engine(2).advance('r', { stay: true });
    await world.quiet();
    await world.store.answer('r', 'q', { text: 'yes', by: 'me', at: 1 });
    await world.quiet();
    expect(world.host.running()).toEqual(['r#left/turn#1']);
    world.host.done('r#left/turn#1');
    expect(await world.value(advanced)).toBe('some');
    expect(await world.states()).toEqual({
      'left/turn': 'done',
      'left/question': 'open',
      'gone/turn': 'dropped',
      'gone/question': 'dropped',
      q: 'done',
    });
  }),

  check('a store that fails breaks the advanced, not the run: it goes on where it was', async (subject) => {
    using world = new World(subject);
    const ran: string[] = [];
    world.define('w', async (ctx) => {
      try {
        await ctx.step('a', () => {
          ran.push('a');
          return null;
        });
      } catch {
        ran.push('the workflow saw it');
      }
      return ctx.session('s', session).then(() => 'done');
    });
    await world.start('r');
    const { store } = world;
    const full = () => Promise.reject(new Error('disk full'));
    const put = world.engine(1, { store: withMethods(store, { put: full }) }).advance('r', { stay: true });
    await expect(world.now(put)).rejects.toThrow('disk full');
    expect((await world.data.queries.run('r'))?.state.at).toBe('running');
    world.kill(1);
    const advanced = world.engine(2).advance('r', { stay: true });
    await world.quiet();
    world.host.done('r#s#1');
    expect(await world.value(advanced)).toBe('done');
    expect(ran).toEqual(['a', 'a']);
  }),

  check('a result that could not be recorded is found again by the next driver', async (subject) => {
    using world = new World(subject);
    world.define('w', (ctx) =>
      ctx
        .race<unknown>('first', {
          work: (c) => c.session('s', session),
          timeout: (c) => c.sleep('timeout', 1000),
        })
        .then(() => 'over'),
    );
    await world.start('r');
    const { store } = world;
    const failing = withMethods(store, {
      complete: (ref, ...rest) =>
        ref.key === 's' ? Promise.reject(new Error('disk full')) : store.complete(ref, ...rest),
    });
    const first = world.engine(1, { store: failing }).advance('r', { stay: true });
    first.catch(() => undefined);
    await world.quiet();
    await world.pass(1000);
    await expect(world.now(first)).rejects.toThrow('disk full');
    // Its slot is still held, so the run must not be over.
    expect((await world.data.queries.run('r'))?.state.at).toBe('running');
    world.kill(1);
    expect(await world.value(world.engine(2).advance('r', { stay: true }))).toBe('over');
    expect(world.data.slots()).toBe(0);
  }),

  check('starting a run twice is starting it once', async (subject) => {
    using world = new World(subject);
    let ran = 0;
    const { engine, advanced } = await world.run((ctx) =>
      ctx.step('a', () => {
        ran += 1;
        return ran;
      }),
    );
    await world.start('r', 'another input');
    expect(await world.value(advanced)).toBe(1);
    expect(await world.now(engine.advance('r', { stay: true }))).toMatchObject({ at: 'over' });
    expect(ran).toBe(1);
    expect(await world.data.queries.runs(null)).toHaveLength(1);
  }),

  check('a sleep that was over while nobody was awake ends at once', async (subject) => {
    using world = new World(subject);
    await world.run((ctx) => ctx.sleep('nap', 60_000).then(() => 'awake'));
    world.kill(1);
    await world.pass(90_000);
    expect(await world.store.wakeable(null)).toEqual(['r']);
    const advanced = world.engine(2).advance('r', { stay: true });
    await world.quiet();
    world.clock.jump(0);
    expect(await world.value(advanced)).toBe('awake');
  }),
];
