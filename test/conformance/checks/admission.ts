import { plain } from '../../../src/lib/json.ts';
import { expect } from 'vitest';
import type { Ctx } from '../../../src/kernel/ctx.ts';
import type { Completion } from '../../../src/model/entry.ts';
import type { Fence } from '../../../src/model/ports/store.ts';
import { withMethods } from '../../rig/cut.ts';
import { check, childValue, here, newSession, operate, session, World, type Check } from '../world.ts';

const sessions = (ctx: Ctx, count: number, prefix = 's') =>
  ctx.all<unknown>(Array.from({ length: count }, (_, n) => () => ctx.session(`${prefix}${n}`, session)));

/** Ends one process after the other; the largest number that ran at once. */
async function drain(world: World): Promise<number> {
  let most = 0;
  for (let running = world.host.running(); running.length > 0; running = world.host.running()) {
    most = Math.max(most, running.length);
    expect(world.data.slots()).toBe(running.length);
    world.host.done(running[0] ?? '');
    await world.quiet();
  }
  return most;
}

async function opened(world: World, keys: readonly string[]): Promise<Fence> {
  await world.start('r', null, { limits: { depth: 5, tokens: 100, costUsd: 1 } });
  const fence = { runId: 'r', epoch: (await world.claim('r')).run.epoch };
  for (const key of keys)
    await world.store.open(fence, { key, kind: 'session', spec: plain(session), priority: 0 });
  return fence;
}

export const admission: readonly Check[] = [
  check('a run never has more processes than slots, and always as many as it can', async (subject) => {
    using world = new World(subject, { maxSessions: 50 });
    const { advanced } = await world.run((ctx) => sessions(ctx, 10).then(() => null), { concurrency: 3 });
    expect(await drain(world)).toBe(3);
    await world.value(advanced);
    expect(world.host.launches).toHaveLength(10);
  }),

  check('a part that waited for a slot has the time of its launch', async (subject) => {
    using world = new World(subject);
    const fence = await opened(world, ['s']);
    world.clock.advance(7000);
    const launchedAt = world.clock.wall();
    const ask = { tokens: 0, costUsd: 0 };
    const { launched } = await world.store.admit(fence, [{ key: 's', attempt: 1, ask, session: newSession }]);
    world.clock.advance(5000);
    expect(launched).toMatchObject([{ key: 's', openedAt: launchedAt }]);
    expect(await world.data.queries.entries('r')).toMatchObject([{ key: 's', openedAt: launchedAt }]);
  }),

  check(
    'the session quota holds over all runs and processes, and a freed place wakes whoever waits',
    async (subject) => {
      using world = new World(subject, { maxSessions: 3 });
      world.define('w', (ctx) => sessions(ctx, 4).then(() => 'all'));
      const advances = [];
      const [one, two] = [world.engine(1), world.engine(2, { store: world.connect() })];
      for (const [n, engine] of [one, one, two].entries()) {
        await world.start(`r${n}`);
        advances.push(engine.advance(`r${n}`, { stay: true }));
        await world.quiet();
      }
      let most = 0;
      for (let running = world.host.running(); running.length > 0; running = world.host.running()) {
        most = Math.max(most, running.length);
        world.host.done(running[0] ?? '');
        await world.pass(100);
      }
      expect(most).toBe(3);
      for (const advanced of advances) expect(await world.value(advanced)).toBe('all');
      expect(world.host.launches).toHaveLength(12);
    },
  ),

  check('within one process no time must pass for a freed place to be taken', async (subject) => {
    using world = new World(subject, { maxSessions: 1 });
    world.define('w', (ctx) => sessions(ctx, 2).then(() => 'all'));
    await world.start('r1');
    await world.start('r2');
    const engine = world.engine();
    const advances = [engine.advance('r1', { stay: true }), engine.advance('r2', { stay: true })];
    await world.quiet();
    expect(await drain(world)).toBe(1);
    for (const advanced of advances) expect(await world.value(advanced)).toBe('all');
  }),

  check('a place that is freed while an admission is under way is not overlooked', async (subject) => {
    using world = new World(subject, { maxSessions: 1 });
    world.define('w', (ctx) => sessions(ctx, 2).then(() => 'all'));
    await world.start('r');
    const { store } = world;
    let release: (() => void) | null = null;
    let calls = 0;
    const slow = withMethods(store, {
      admit: async (...args) => {
        const admitted = await store.admit(...args);
        calls += 1;
        if (calls !== 2) return admitted;
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return admitted;
      },
    });
    const advanced = world.engine(1, { store: slow }).advance('r', { stay: true });
    await world.quiet();
    // The second session was told to wait; before that answer arrives, the first one ends.
    world.host.done('r#s0#1');
    await world.quiet();
    expect(release).not.toBeNull();
    (release as unknown as () => void)();
    await world.quiet();
    expect(world.host.running()).toEqual(['r#s1#1']);
    world.host.done('r#s1#1');
    expect(await world.value(advanced)).toBe('all');
  }),

  check('tasks need no session quota and are not held up by sessions that wait for it', async (subject) => {
    using world = new World(subject, { maxSessions: 1 });
    const { advanced } = await world.run(
      (ctx) =>
        ctx
          .all<unknown>([
            ...[1, 2, 3].map((n) => () => ctx.session(`s${n}`, { ...session, priority: 9 })),
            () => operate(ctx, 't', here),
          ])
          .then(() => null),
      { concurrency: 2 },
    );
    expect(world.host.running()).toEqual(['r#s1#1', 'r#t#1']);
    await drain(world);
    await world.value(advanced);
  }),

  check('what is most critical is launched first, then what came first', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run(
      (ctx) =>
        ctx
          .all<unknown>([1, 5, 3, 5].map((priority, n) => () => operate(ctx, `t${n}`, { ...here, priority })))
          .then(() => null),
      { concurrency: 1 },
    );
    await drain(world);
    await world.value(advanced);
    expect(world.host.launches).toEqual(['r#t1#1', 'r#t3#1', 'r#t2#1', 'r#t0#1']);
  }),

  check('launches: not one more than the budget has, also over a restart', async (subject) => {
    using world = new World(subject);
    await world.run((ctx) => sessions(ctx, 5).then(() => null), {
      limits: { depth: 5, launches: 3 },
      concurrency: 2,
    });
    world.kill(1);
    const advanced = world.engine(2).advance('r', { stay: true });
    await world.quiet();
    await drain(world);
    expect(await world.now(advanced)).toMatchObject({ end: { outcome: 'BUDGET_EXCEEDED' } });
    expect(world.host.launches).toHaveLength(3);
    expect((await world.data.queries.budget('r'))?.spent.launches).toBe(3);
  }),

  check(
    'tokens and money: nothing is launched once a ceiling is reached; what is reserved counts',
    async (subject) => {
      using world = new World(subject);
      const fence = await opened(world, ['a', 'b', 'c', 'd']);
      const ask = { tokens: 40, costUsd: 0.1 };
      const candidates = ['a', 'b', 'c'].map((key) => ({ key, attempt: 1, ask, session: newSession }));
      const first = await world.store.admit(fence, candidates);
      expect(first.launched.map(({ key }) => key)).toEqual(['a', 'b']);
      // What is in flight may take less than it reserved: that is known when it ends.
      expect(first).toMatchObject({ refused: [], waiting: ['c'] });
      expect(await world.store.budget('r')).toMatchObject({
        reserved: { tokens: 80 },
        spent: { launches: 2 },
      });
      const usage = { inputTokens: 5, outputTokens: 5, costUsd: 0.95 };
      const done: Completion = { at: 'done', outcome: 'SUCCESS', value: null };
      const ended = { status: 'COMPLETED', exitCode: 0, outcome: 'SUCCESS', usage } as const;
      await world.store.complete({ runId: 'r', key: 'a', attempt: 1 }, done, ended);
      expect(await world.store.budget('r')).toMatchObject({
        reserved: { tokens: 40 },
        spent: { tokens: 10, costUsd: 0.95 },
      });
      const last = await world.store.admit(fence, [{ key: 'd', attempt: 1, ask, session: newSession }]);
      expect(last.refused).toEqual(['d']);
      expect((await world.entry('d')).state).toMatchObject({
        at: 'failed',
        failure: {
          outcome: 'BUDGET_EXCEEDED',
          message: "$0.95 of $1.00 of the run's budget are used, and a turn of this agent costs about $0.10",
        },
      });
    },
  ),

  check('a launch reserves what turns of its agent took before, and gives it back', async (subject) => {
    using world = new World(subject);
    const fence = await opened(world, ['a', 'b', 'c']);
    const ask = { tokens: 0, costUsd: 0 };
    const admit = (key: string) => world.store.admit(fence, [{ key, attempt: 1, ask, session: newSession }]);
    const end = (key: string, tokens: number) => {
      const usage = { inputTokens: tokens, outputTokens: 0, costUsd: 0.01 };
      const ended = { status: 'COMPLETED', exitCode: 0, outcome: 'SUCCESS', usage } as const;
      return world.store.complete(
        { runId: 'r', key, attempt: 1 },
        { at: 'done', outcome: 'SUCCESS', value: null },
        ended,
      );
    };
    await admit('a');
    await world.store.begin({ runId: 'r', key: 'a', attempt: 1 });
    await end('a', 40);
    expect((await admit('b')).launched).toHaveLength(1);
    expect(await world.store.budget('r')).toMatchObject({ reserved: { tokens: 40, costUsd: 0.01 } });
    expect((await admit('c')).waiting).toEqual(['c']);
    await world.store.begin({ runId: 'r', key: 'b', attempt: 1 });
    await end('b', 10);
    expect(await world.store.budget('r')).toMatchObject({ reserved: { tokens: 0 }, spent: { tokens: 50 } });
    expect((await admit('c')).launched).toHaveLength(1);
  }),

  check('a launch that never came to run is taken back from the budget', async (subject) => {
    using world = new World(subject);
    const fence = await opened(world, ['a']);
    const ask = { tokens: 60, costUsd: 0.6 };
    await world.store.admit(fence, [{ key: 'a', attempt: 1, ask, session: newSession }]);
    expect(await world.store.budget('r')).toMatchObject({ spent: { launches: 1 } });
    await world.store.complete({ runId: 'r', key: 'a', attempt: 1 }, { at: 'lost' }, null);
    expect(await world.store.budget('r')).toMatchObject({
      reserved: { tokens: 0, costUsd: 0 },
      spent: { launches: 0, unpriced: 0 },
    });
  }),

  check('what a dropped attempt had reserved comes back when its process is gone', async (subject) => {
    using world = new World(subject);
    const fence = await opened(world, ['a', 'b']);
    const ask = { tokens: 60, costUsd: 0.6 };
    await world.store.admit(fence, [{ key: 'a', attempt: 1, ask, session: newSession }]);
    await world.store.begin({ runId: 'r', key: 'a', attempt: 1 });
    await world.store.drop(fence, ['a']);
    expect(await world.store.budget('r')).toMatchObject({ reserved: { tokens: 60 } });
    expect(world.data.slots()).toBe(1);
    expect(await world.store.complete({ runId: 'r', key: 'a', attempt: 1 }, { at: 'dropped' }, null)).toBe(
      false,
    );
    expect(await world.store.budget('r')).toMatchObject({
      reserved: { tokens: 0, costUsd: 0 },
      spent: { unpriced: 1 },
    });
    expect(world.data.slots()).toBe(0);
    expect(await world.data.queries.sessions.ofRun('r')).toMatchObject([{ status: 'FAILED' }]);
    const next = await world.store.admit(fence, [{ key: 'b', attempt: 1, ask, session: newSession }]);
    expect(next.launched).toHaveLength(1);
  }),

  check(
    'wall time: nothing is launched after it, and what is launched must be gone by then',
    async (subject) => {
      using world = new World(subject);
      const limits = { depth: 5, wallMs: 40_000 };
      const { advanced } = await world.run(
        async (ctx) => {
          await ctx.session('in time', session);
          await ctx.session('too late', session);
          return null;
        },
        { limits },
      );
      expect(world.host.attempt('r#in time#1').deadlineAt).toBe(world.clock.wall() + 40_000);
      await world.pass(40_000);
      world.host.done('r#in time#1');
      expect(await world.now(advanced)).toMatchObject({ end: { outcome: 'BUDGET_EXCEEDED' } });
    },
  ),

  check(
    'depth: a session at the last level may run, and none below it; tasks need no depth',
    async (subject) => {
      using world = new World(subject);
      world.host.auto = () => ({ at: 'done', outcome: 'SUCCESS', value: 'ok' });
      const { advanced } = await world.run((ctx) => ctx.session('s', session).then(() => 1), { depth: 4 });
      expect(await world.value(advanced)).toBe(1);
      await world.start('deep', null, { depth: 5 });
      expect(await world.now(world.engine(2).advance('deep', { stay: true }))).toMatchObject({
        end: { outcome: 'DEPTH_EXCEEDED' },
      });
      world.define('w', (ctx) => operate(ctx, 't', here));
      await world.start('task', null, { depth: 5 });
      expect(await world.value(world.engine(3).advance('task', { stay: true }))).toBe('ok');
    },
  ),

  check('children and runs started inside sessions live on the budget of the run above', async (subject) => {
    using world = new World(subject);
    world.host.auto = () => ({ at: 'done', outcome: 'SUCCESS', value: 'ok' });
    world.define('kid', (ctx) => sessions(ctx, 2).then(() => 'kid'));
    const { advanced } = await world.run(
      async (ctx) => {
        await childValue(ctx, 'kid', 'kid');
        await ctx.session('third', session);
        return ctx.session('fourth', session).then(() => null);
      },
      { limits: { depth: 5, launches: 3 } },
    );
    expect(await world.now(advanced)).toMatchObject({ end: { outcome: 'BUDGET_EXCEEDED' } });
    await world.start('inner', null, { workflow: 'kid', within: 'r', limits: { depth: 99, launches: 99 } });
    expect(await world.now(world.engine(2).advance('inner', { stay: true }))).toMatchObject({
      end: { outcome: 'BUDGET_EXCEEDED' },
    });
    expect(world.host.launches).toHaveLength(3);
  }),

  check(
    'a nested run that is tighter than the run above pays from both, and so do its children',
    async (subject) => {
      using world = new World(subject);
      world.host.auto = () => ({ at: 'done', outcome: 'SUCCESS', value: 'ok' });
      world.define('kid', (ctx) => sessions(ctx, 2).then(() => 'kid'));
      world.define('nested', (ctx) => childValue(ctx, 'kid', 'kid'));
      const { advanced } = await world.run((ctx) => ctx.session('s', session).then(() => null));
      await world.value(advanced);
      await world.start('inner', null, {
        workflow: 'nested',
        within: 'r',
        limits: { depth: 5, launches: 1 },
      });
      expect(await world.now(world.engine(2).advance('inner', { stay: true }))).toMatchObject({
        end: { outcome: 'BUDGET_EXCEEDED' },
      });
      expect((await world.data.queries.budget('inner'))?.spent.launches).toBe(1);
      expect((await world.data.queries.budget('r'))?.spent.launches).toBe(2);
    },
  ),

  check('sessions of one agent in one second have names of their own', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run((ctx) => sessions(ctx, 3).then(() => null));
    const ids = (await world.data.queries.sessions.ofRun('r')).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    await drain(world);
    await world.value(advanced);
  }),

  check('what is no longer wanted is not offered again', async (subject) => {
    using world = new World(subject);
    const fence = await opened(world, ['a']);
    await world.store.drop(fence, ['a']);
    const candidate = { key: 'a', attempt: 1, ask: { tokens: 0, costUsd: 0 }, session: newSession };
    const admitted = await world.store.admit(fence, [candidate, { ...candidate, key: 'unknown' }]);
    expect(admitted).toMatchObject({ launched: [], refused: [], waiting: [] });
  }),

  check(
    'a step that goes on keeps its slot for its next part; one that does not gives it away',
    async (subject) => {
      for (const goesOn of [true, false]) {
        using world = new World(subject);
        const parts =
          (...keys: readonly string[]) =>
          async (ctx: Ctx) => {
            for (const [n, key] of keys.entries()) {
              await operate(ctx, key, {
                ...here,
                priority: n,
                goesOn: goesOn && n < keys.length - 1,
              });
            }
          };
        const chains = [parts('a1', 'a2', 'a3'), parts('b1', 'b2'), parts('c1')];
        const { advanced } = await world.run((ctx) => ctx.all(chains).then(() => null), { concurrency: 1 });
        await drain(world);
        await world.value(advanced);
        const order = world.host.launches.map((id) => id.split('#')[1]);
        if (goesOn) expect(order).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
        else expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'c1']);
      }
    },
  ),
];
