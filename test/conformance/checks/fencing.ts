import { expect } from 'vitest';
import { Fenced, type Fence, type Store } from '../../../src/model/ports/store.ts';
import { unknownUsage } from '../../../src/model/usage.ts';
import { withMethods } from '../../rig/cut.ts';
import { check, here, operate, session, World, type Check } from '../world.ts';

const done = { at: 'done', outcome: 'SUCCESS', value: 'FORGED' } as const;
const sessionEnd = { status: 'COMPLETED', exitCode: 0, outcome: 'SUCCESS', usage: unknownUsage } as const;

/** Every write that shows a fence. */
const fencedWrites: Readonly<Record<string, (store: Store, fence: Fence) => Promise<unknown>>> = {
  put: (store, fence) =>
    store.put(fence, { key: 'x', kind: 'step', attempt: 1, state: done }, [{ key: 'e', name: 'n', data: 1 }]),
  open: (store, fence) => store.open(fence, { key: 'x', kind: 'ask', spec: { text: '?' }, priority: 0 }),
  admit: (store, fence) =>
    store.admit(fence, [{ key: 's', attempt: 1, ask: { tokens: 0, costUsd: 0 }, session: null }]),
  drop: (store, fence) => store.drop(fence, ['s']),
  news: (store, fence) => store.news(fence, 0),
  park: (store, fence) => store.park(fence, 0),
  settleHalt: (store, fence) => store.settleHalt(fence),
  finish: (store, fence) => store.finish(fence, { outcome: 'SUCCESS', value: 'FORGED', failure: null }),
};

export const fencing: readonly Check[] = [
  check('a driver whose claim was taken over can write nothing at all', async (subject) => {
    using world = new World(subject);
    await world.start('r');
    const image = await world.claim('r');
    const stale = { runId: 'r', epoch: image.run.epoch };
    await world.store.open(stale, { key: 's', kind: 'task', spec: null, priority: 0 });
    world.kill(1);
    await world.claim('r', 2);
    const before = [
      await world.data.queries.run('r'),
      await world.data.queries.entries('r'),
      await world.events(),
    ];
    for (const write of Object.values(fencedWrites))
      await expect(write(world.store, stale)).rejects.toThrow(Fenced);
    expect([
      await world.data.queries.run('r'),
      await world.data.queries.entries('r'),
      await world.events(),
    ]).toEqual(before);
    expect(world.data.slots()).toBe(0);
  }),

  check('nobody writes to a run that is over', async (subject) => {
    using world = new World(subject);
    await world.start('r');
    const { run } = await world.claim('r');
    const fence = { runId: 'r', epoch: run.epoch };
    await world.store.finish(fence, { outcome: 'SUCCESS', value: 1, failure: null });
    for (const write of Object.values(fencedWrites))
      await expect(write(world.store, fence)).rejects.toThrow(Fenced);
    expect((await world.data.queries.run('r'))?.state).toMatchObject({ at: 'ended', value: 1 });
  }),

  check(
    'two processes on one run: the one that was taken over stops, and its steps are not recorded',
    async (subject) => {
      using world = new World(subject);
      let release: () => void = () => undefined;
      const { advanced } = await world.run((ctx) =>
        ctx.step('slow', async ({ number }) => {
          if ((await world.data.queries.run('r'))?.epoch === 1) {
            await new Promise<void>((resolve) => {
              release = resolve;
            });
            return 'stale';
          }
          return `fresh ${number}`;
        }),
      );
      world.clock.advance(0);
      // Process 1 is stopped longer than its lease: it does not renew, and process 2 takes over.
      const second = world.engine(2, { store: lapsed(world) }).advance('r', { stay: true });
      expect(await world.value(second)).toBe('fresh 1');
      release();
      expect(await world.now(advanced)).toMatchObject({ at: 'over' });
      expect((await world.data.queries.run('r'))?.state).toMatchObject({ value: 'fresh 1' });
    },
  ),

  check('a late, a doubled and a forged result are refused', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run((ctx) => ctx.session('s', session).then((end) => end as never));
    const ref = { runId: 'r', key: 's' };
    expect(await world.store.complete({ ...ref, attempt: 7 }, done, null)).toBe(false);
    expect(await world.store.complete({ ...ref, key: 'unknown', attempt: 1 }, done, null)).toBe(false);
    expect(await world.store.complete({ ...ref, runId: 'unknown', attempt: 1 }, done, null)).toBe(false);
    world.host.finish('r#s#1', { at: 'lost' });
    await world.quiet();
    expect(world.host.running()).toEqual(['r#s#2']);
    expect(await world.store.complete({ ...ref, attempt: 1 }, done, sessionEnd)).toBe(false);
    expect(world.data.slots()).toBe(1);
    world.host.done('r#s#2', 'true');
    expect(await world.value(advanced)).toBe('true');
    expect(await world.store.complete({ ...ref, attempt: 2 }, done, sessionEnd)).toBe(false);
    expect((await world.entry('s')).state).toMatchObject({ at: 'done', value: 'true' });
  }),

  check(
    'an end that somebody else reported first does not keep the next attempt from starting',
    async (subject) => {
      using world = new World(subject);
      const { advanced } = await world.run((ctx) => operate(ctx, 't', here));
      // Process 2 followed the same attempt, and is faster; ours still believes that it runs.
      await world.store.complete({ runId: 'r', key: 't', attempt: 1 }, { at: 'lost' }, null);
      await world.quiet();
      expect(world.host.launches).toEqual(['r#t#1', 'r#t#2']);
      world.host.finish('r#t#1', { at: 'lost' });
      world.host.done('r#t#2', 'second');
      expect(await world.value(advanced)).toBe('second');
    },
  ),

  check('a driver that was taken over begins no further try', async (subject) => {
    using world = new World(subject);
    const tries: number[] = [];
    const { advanced } = await world.run((ctx) =>
      ctx.step(
        'flaky',
        ({ number }) => {
          tries.push(number);
          throw new Error('boom');
        },
        { retries: 9, backoffMs: 1000 },
      ),
    );
    // Somebody amended the plan, then the run was finished elsewhere.
    const { run } = await world.claim('r', 1);
    await world.store.finish(
      { runId: 'r', epoch: run.epoch },
      { outcome: 'SUCCESS', value: 1, failure: null },
    );
    expect(await world.now(advanced)).toMatchObject({ at: 'over' });
    await world.pass(10_000);
    expect(tries).toEqual([1]);
  }),

  check('the cost of a result that came too late is counted once all the same', async (subject) => {
    using world = new World(subject);
    await world.run((ctx) => ctx.session('s', session).then(() => null));
    const usage = { inputTokens: 30, outputTokens: 12, costUsd: 0.5 };
    await world.store.cancel('r');
    await world.quiet();
    const [{ status } = { status: '' }] = await world.data.queries.sessions.ofRun('r');
    expect(status).toBe('COMPLETED');
    for (const _ of [1, 2]) {
      await world.store.complete({ runId: 'r', key: 's', attempt: 1 }, done, { ...sessionEnd, usage });
    }
    // The host had already told the end of that session, with unknown usage.
    expect((await world.data.queries.budget('r'))?.spent).toEqual({
      launches: 1,
      tokens: 0,
      costUsd: 0,
      unpriced: 1,
    });
  }),

  check('a fenced driver leaves the other entries of its batch alone', async (subject) => {
    using world = new World(subject);
    await world.start('r');
    await world.start('other');
    const stale = { runId: 'r', epoch: (await world.claim('r')).run.epoch };
    world.kill(1);
    const fresh = { runId: 'r', epoch: (await world.claim('r', 2)).run.epoch };
    const entry = { kind: 'step', attempt: 1, state: done } as const;
    const writes = await Promise.allSettled([
      world.store.put(fresh, { ...entry, key: 'a' }),
      world.store.put(stale, { ...entry, key: 'b' }),
      world.store.put(fresh, { ...entry, key: 'c' }),
    ]);
    expect(writes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await world.states()).toEqual({ a: 'done', c: 'done' });
  }),
];

/** A view of the store for which every lease has lapsed. */
function lapsed(world: World): Store {
  const { store } = world;
  return withMethods(store, {
    claim: (runId, facts, leaseMs) =>
      store.claim(runId, { ...facts, monotonic: facts.monotonic + 3_600_000 }, leaseMs),
  });
}
