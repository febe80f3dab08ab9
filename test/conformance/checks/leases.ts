import { expect } from 'vitest';
import type { Holder } from '../../../src/model/holder.ts';
import type { Changer, Lease } from '../../../src/model/lease.ts';
import { holder, newRun } from '../../rig/engine.ts';
import { check, newSession, session, World, type Check } from '../world.ts';

const leaseMs = 30_000;

function claimAs(world: World, me: Holder) {
  return world.claimAs(me, 'r', leaseMs);
}

/** What process n records with a run that it advances next. */
function leaseAs(world: World, n: number): Lease {
  return { holder: holder(n), until: world.clock.monotonic() + leaseMs };
}

/** Process n as it changes a run that it advances next. */
function changerAs(world: World, n: number, rest: Partial<Changer> = {}): Changer {
  const monotonic = world.clock.monotonic();
  const gone = world.gone();
  return { me: holder(n), monotonic, gone, until: monotonic + leaseMs, beside: null, ...rest };
}

/** Every change that a command makes to a run before it advances it. */
function changesBy(by: Changer): readonly ((world: World) => Promise<{ readonly at: string }>)[] {
  const edit = { input: 'another', concurrency: 1, limits: { depth: 5, launches: 50 } };
  return [
    (world) => world.store.amend('r', edit, by),
    (world) => world.store.resume('r', by),
    async (world) => {
      const entries = await world.data.queries.entries('r');
      const seen = entries.map(({ key, attempt, state }) => ({ key, attempt, at: state.at }));
      return world.store.reopen('r', seen, by);
    },
  ];
}

/** A run that was halted while process 1 holds it, with a step that is done. */
async function heldRun(world: World): Promise<void> {
  await world.start('r');
  const { run } = await world.claim('r', 1);
  const done = { at: 'done', outcome: 'SUCCESS', value: null } as const;
  await world.store.put(
    { runId: 'r', epoch: run.epoch },
    { key: 's', kind: 'step', attempt: 1, state: done },
  );
  await world.store.halt('r', 'for a test');
}

async function factsOf({ data }: World): Promise<unknown> {
  const { queries } = data;
  return [
    await queries.run('r'),
    await queries.input('r'),
    await queries.entries('r'),
    await queries.budget('r'),
    await queries.holder('r'),
  ];
}

export const leases: readonly Check[] = [
  check(
    'a run that is recorded with its holder can be claimed by no other living process',
    async (subject) => {
      using world = new World(subject);
      await world.store.start(newRun('r', 'w', null), leaseAs(world, 1));
      expect(await claimAs(world, holder(2))).toMatchObject({ at: 'held', by: holder(1) });
      expect(await claimAs(world, holder(1))).toMatchObject({ at: 'claimed' });
      const { id: _id, ...run } = newRun('', 'w', null);
      const request = { run, key: 's', session: newSession, slot: 'now' } as const;
      const started = await world.store.startSession(request, leaseAs(world, 1));
      const facts = { me: holder(2), monotonic: world.clock.monotonic(), gone: [] };
      expect(started).toMatchObject({ at: 'started' });
      const id = started.at === 'started' ? started.id : '';
      expect(await world.store.claim(id, facts, leaseMs)).toMatchObject({ at: 'held', by: holder(1) });
    },
  ),

  check(
    'a run that is amended, resumed or reopened with a lease belongs to that process',
    async (subject) => {
      for (const n of [0, 1, 2]) {
        using world = new World(subject);
        world.define('w', (ctx) =>
          ctx.ask('q', { text: '?' }).then(() => ctx.ask('never answered', { text: '?' }).then(() => null)),
        );
        await world.start('r');
        await world.store.answer('r', 'q', { text: 'now', by: 'me', at: 1 });
        await world.store.cancel('r');
        await world.now(world.engine(3).advance('r', { stay: false }));
        await changesBy(changerAs(world, 1))[n]?.(world);
        expect(await claimAs(world, holder(2))).toMatchObject({ at: 'held', by: holder(1) });
        world.kill(1);
        expect(await claimAs(world, holder(2))).toMatchObject({ at: 'claimed' });
      }
    },
  ),

  check(
    'a run that another living process holds is neither amended nor resumed nor reopened, and stays as it is',
    async (subject) => {
      for (const until of [1, null]) {
        using world = new World(subject);
        await heldRun(world);
        const before = await factsOf(world);
        for (const change of changesBy(changerAs(world, 2, { until })))
          expect(await change(world)).toEqual({ at: 'held', by: holder(1) });
        expect(await factsOf(world)).toEqual(before);
      }
    },
  ),

  check('a change beside a holder reaches it, and leaves it the run', async (subject) => {
    for (const n of [0, 1, 2]) {
      using world = new World(subject);
      await heldRun(world);
      const before = await world.data.queries.run('r');
      await changesBy(changerAs(world, 2, { beside: holder(1).id }))[n]?.(world);
      expect((await world.data.queries.run('r'))?.change).toBeGreaterThan(before?.change ?? 0);
      expect(await world.data.queries.holder('r')).toEqual(holder(1));
    }
  }),

  check(
    'a run whose holder died or left is changed, and belongs to the process that asked for it',
    async (subject) => {
      for (const [until, by] of [
        [leaseMs, holder(2)],
        [null, holder(1)],
      ] as const) {
        using world = new World(subject);
        await heldRun(world);
        world.kill(1);
        for (const change of changesBy(changerAs(world, 2, { until, beside: 'another' })))
          await change(world);
        expect((await world.data.queries.run('r'))?.state).toEqual({ at: 'running' });
        expect(await world.data.queries.holder('r')).toEqual(by);
      }
    },
  ),

  check(
    'a run that was stopped after the changer had looked at it is not changed, and an earlier stop is in no way',
    async (subject) => {
      for (const n of [0, 1, 2]) {
        using world = new World(subject);
        await heldRun(world);
        await world.store.resume('r');
        await world.store.cancel('r', 'user:ada');
        world.kill(1);
        const before = await factsOf(world);
        const late = changesBy(changerAs(world, 2, { sawStops: 0 }))[n];
        expect(await late?.(world)).toEqual({ at: 'stopped' });
        expect(await factsOf(world)).toEqual(before);
        const knowing = changesBy(changerAs(world, 2, { sawStops: 1 }))[n];
        expect(await knowing?.(world)).not.toEqual({ at: 'stopped' });
        expect(await world.data.queries.holder('r')).toEqual(holder(2));
      }
    },
  ),

  check(
    'a run that has ended and is stopped again is not changed by who looked at it before',
    async (subject) => {
      for (const n of [0, 1, 2]) {
        using world = new World(subject);
        world.define('w', (ctx) => ctx.ask('q', { text: '?' }).then(() => null));
        await heldRun(world);
        await world.store.cancel('r', 'user:ada');
        world.kill(1);
        await world.now(world.engine(3).advance('r', { stay: false }));
        const seen = await world.data.queries.run('r');
        expect(seen).toMatchObject({ state: { at: 'ended' }, cancelled: true, stops: 1 });
        if (n === 0) await world.store.cancelEnded();
        else expect(await world.store.cancel('r', 'user:bob')).toBe(false);
        const before = await factsOf(world);
        const late = changesBy(changerAs(world, 2, { sawStops: 1 }))[n];
        expect(await late?.(world)).toEqual({ at: 'stopped' });
        expect(await factsOf(world)).toEqual(before);
        const knowing = changesBy(changerAs(world, 2, { sawStops: 2 }))[n];
        expect(await knowing?.(world)).not.toEqual({ at: 'stopped' });
      }
    },
  ),

  check('a running run that no process holds belongs to the process that resumes it', async (subject) => {
    using world = new World(subject);
    await world.start('r');
    expect(await world.store.resume('r', changerAs(world, 1))).toEqual({ at: 'unchanged' });
    expect(await claimAs(world, holder(2))).toMatchObject({ at: 'held', by: holder(1) });
  }),

  check('a living holder with a fresh lease is never replaced', async (subject) => {
    using world = new World(subject);
    await world.start('r');
    await claimAs(world, holder(1));
    await world.pass(leaseMs - 1);
    const second = await claimAs(world, holder(2));
    expect(second).toMatchObject({ at: 'held', by: holder(1) });
    expect((await world.data.queries.run('r'))?.epoch).toBe(1);
  }),

  check('a dead holder is replaced at once', async (subject) => {
    using world = new World(subject);
    await world.start('r');
    await claimAs(world, holder(1));
    world.kill(1);
    expect(await claimAs(world, holder(2))).toMatchObject({
      at: 'claimed',
      image: { run: { epoch: 2 } },
    });
  }),

  check(
    'a holder that lives but does not renew is replaced when its lease has lapsed, and not before',
    async (subject) => {
      using world = new World(subject);
      await world.start('r');
      await claimAs(world, holder(1));
      await world.store.renew(holder(1), world.clock.monotonic() + 2 * leaseMs);
      await world.pass(2 * leaseMs - 1);
      expect(await claimAs(world, holder(2))).toMatchObject({ at: 'held' });
      await world.pass(1);
      expect(await claimAs(world, holder(2))).toMatchObject({ at: 'claimed' });
    },
  ),

  check('wall time may jump a day and the machine may sleep: leases do not notice', async (subject) => {
    using world = new World(subject);
    await world.start('r');
    await claimAs(world, holder(1));
    world.clock.jump(86_400_000);
    world.clock.suspend(86_400_000);
    expect(await claimAs(world, holder(2))).toMatchObject({ at: 'held' });
    world.clock.jump(-10 * 86_400_000);
    expect(await claimAs(world, holder(2))).toMatchObject({ at: 'held' });
  }),

  check(
    'after a reboot the old holder counts as dead, even if its process number is in use again',
    async (subject) => {
      using world = new World(subject);
      await world.start('r');
      await claimAs(world, holder(1));
      const rebooted = { ...holder(2), bootId: 'another boot' };
      expect(await claimAs(world, rebooted)).toMatchObject({ at: 'claimed' });
    },
  ),

  check('a holder elsewhere cannot be asked whether it lives, so its lease decides', async (subject) => {
    using world = new World(subject);
    await world.start('r');
    await claimAs(world, { ...holder(1), host: 'elsewhere', bootId: 'its boot' });
    world.kill(1);
    expect(await claimAs(world, holder(2))).toMatchObject({ at: 'held' });
    await world.pass(leaseMs);
    expect(await claimAs(world, holder(2))).toMatchObject({ at: 'claimed' });
  }),

  check('an engine renews its lease for as long as it advances something', async (subject) => {
    using world = new World(subject);
    await world.run((ctx) => ctx.session('s', session).then(() => null));
    for (let n = 0; n < 20; n += 1) await world.pass(leaseMs / 3);
    expect(await claimAs(world, holder(2))).toMatchObject({ at: 'held', by: { id: 'process-1' } });
  }),

  check('a parked run is free for anybody', async (subject) => {
    using world = new World(subject);
    world.define('w', (ctx) => ctx.ask('q', { text: '?' }).then(({ text }) => text));
    await world.start('r');
    expect(await world.now(world.engine().advance('r', { stay: false }))).toEqual({ at: 'parked' });
    expect(await world.store.wakeable(null)).toEqual([]);
    expect(await claimAs(world, holder(2))).toMatchObject({ at: 'claimed' });
  }),

  check('a run that does not exist cannot be claimed, and one that is over needs nobody', async (subject) => {
    using world = new World(subject);
    expect(await claimAs(world, holder(1))).toEqual({ at: 'unknown' });
    await world.start('r');
    const { run } = await world.claim('r');
    await world.store.finish(
      { runId: 'r', epoch: run.epoch },
      { outcome: 'SUCCESS', value: null, failure: null },
    );
    expect(await claimAs(world, holder(2))).toMatchObject({ at: 'over' });
  }),

  check('somebody else’s change wakes an engine, also over another connection', async (subject) => {
    using world = new World(subject);
    const elsewhere = world.connect();
    const { advanced } = await world.run((ctx) => ctx.ask('q', { text: '?' }).then(({ text }) => text));
    await world.pass(200);
    await elsewhere.answer('r', 'q', { text: 'from afar', by: 'me', at: 1 });
    await world.pass(200);
    expect(await world.value(advanced)).toBe('from afar');
  }),
];
