import { expect } from 'vitest';
import { StepFailed } from '../../../src/kernel/ctx.ts';
import { check, here, session, World, type Check } from '../world.ts';

export const steps: readonly Check[] = [
  check(
    'twenty steps in a row and fifty at once run once each, and their values come back',
    async (subject) => {
      using world = new World(subject);
      const ran: string[] = [];
      const { advanced } = await world.run(async (ctx) => {
        let sum = 0;
        const step = (key: string, n: number) =>
          ctx.step(key, () => {
            ran.push(key);
            return n;
          });
        for (let n = 0; n < 20; n += 1) sum += await step(`s${n}`, n);
        const parts = await ctx.all(Array.from({ length: 50 }, (_, n) => () => step(`p${n}`, n)));
        return { sum, parts: parts.reduce((a, b) => a + b, 0) };
      });
      expect(await world.value(advanced)).toEqual({ sum: 190, parts: 1225 });
      expect(ran).toHaveLength(70);
      expect(new Set(ran).size).toBe(70);
    },
  ),

  check(
    'a flaky step beside a session restarts only itself, and the session is launched meanwhile',
    async (subject) => {
      using world = new World(subject);
      const tries: number[] = [];
      const { advanced } = await world.run((ctx) =>
        ctx
          .all<unknown>([
            () => ctx.session('long', session),
            () =>
              ctx.step(
                'flaky',
                ({ number }) => {
                  tries.push(number);
                  if (number < 3) throw new Error('boom');
                  return 'F';
                },
                { retries: 4, backoffMs: 1000 },
              ),
          ])
          .then(() => null),
      );
      expect(world.host.running()).toEqual(['r#long#1']);
      expect(await world.entry('flaky')).toMatchObject({ state: { at: 'retrying' }, attempt: 1 });
      await world.pass(1000);
      expect(tries).toEqual([1, 2]);
      await world.pass(2000);
      world.host.done('r#long#1', 'L');
      await world.value(advanced);
      expect(tries).toEqual([1, 2, 3]);
      expect(world.host.launches).toEqual(['r#long#1']);
    },
  ),

  check('all settles every part, then throws the first failure by index', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run(async (ctx) => {
      const fail = (key: string) =>
        ctx.step(key, () => {
          throw new Error(`no ${key}`);
        });
      await ctx.all<unknown>([() => ctx.session('long', session), () => fail('second'), () => fail('third')]);
      return null;
    });
    expect(await world.states()).toEqual({ long: 'launched', second: 'failed', third: 'failed' });
    world.host.done('r#long#1');
    const end = await world.now(advanced);
    expect(end).toMatchObject({
      at: 'ended',
      end: { outcome: 'FAILURE', failure: { message: 'second: no second' } },
    });
    expect(world.host.launches).toHaveLength(1);
  }),

  check('a bad end of an operation is a value, not an exception', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run(async (ctx) => {
      const { exitCode } = await ctx.operation('lint', 'command', { argv: ['false'] }, here);
      return exitCode;
    });
    expect(world.host.attempt('r#lint#1')).toMatchObject({ kind: 'task', sessionId: null });
    expect(world.host.attempt('r#lint#1').spec).toMatchObject({ name: 'command', workspace: '/work' });
    world.host.finish('r#lint#1', { at: 'done', outcome: 'FAILURE', value: { exitCode: 1 } });
    expect(await world.value(advanced)).toBe(1);
    expect((await world.entry('lint')).state).toMatchObject({ at: 'done', outcome: 'FAILURE' });
  }),

  check(
    'a step that runs again after its run was resumed later begins when it runs again',
    async (subject) => {
      using world = new World(subject);
      let isBroken = true;
      world.define('w', async (ctx) =>
        ctx.step('own', () => {
          if (isBroken) throw new Error('not yet');
          return 1;
        }),
      );
      await world.start('r');
      await world.engine().advance('r', { stay: false });
      const before = await world.entry('own');
      expect(before.state).toMatchObject({ at: 'failed' });
      world.clock.jump(3_600_000);
      isBroken = false;
      await world.reopen(({ key }) => key === 'own');
      await world.engine(1).advance('r', { stay: false });
      const after = await world.entry('own');
      expect(after.state).toMatchObject({ at: 'done', value: 1 });
      expect(after.openedAt).toBeGreaterThanOrEqual(before.openedAt + 3_600_000);
      expect(after.endedAt).toBe(after.openedAt);
    },
  ),

  check('a session is created, runs, and ends; an end is final', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run(async (ctx) => {
      await ctx.session('s', session);
      return null;
    });
    const status = async () => (await world.data.queries.sessions.ofRun('r')).map((row) => row.status);
    expect(await status()).toEqual(['RUNNING']);
    expect((await world.data.queries.sessions.ofRun('r'))[0]?.startedAt).not.toBeNull();
    const ref = { runId: 'r', key: 's', attempt: 1 };
    expect(await world.store.begin(ref)).toBe(false);
    world.host.done('r#s#1');
    await world.value(advanced);
    expect(await status()).toEqual(['COMPLETED']);
    expect(await world.store.begin(ref)).toBe(false);
    expect(await status()).toEqual(['COMPLETED']);
  }),

  check(
    'stops are not losses: after three of them a vanished process is still followed by the next',
    async (subject) => {
      using world = new World(subject);
      await world.run(async (ctx) => {
        const { summary } = (await ctx.session('s', session)).result ?? { summary: '' };
        return summary;
      });
      for (const attempt of [1, 2, 3]) {
        await world.store.cancel('r');
        await world.quiet();
        expect((await world.data.queries.run('r'))?.state, `stop ${attempt}`).toMatchObject({
          at: 'ended',
          outcome: 'INTERRUPTED',
        });
        await world.store.resume('r');
        void world.engine(1).advance('r', { stay: true });
        await world.quiet();
      }
      expect(world.host.running()).toEqual(['r#s#4']);
      world.host.finish('r#s#4', { at: 'lost' });
      await world.quiet();
      expect(world.host.running()).toEqual(['r#s#5']);
    },
  ),

  check('a lost attempt is followed by the next one, and the third loss is a failure', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run(async (ctx) => {
      try {
        await ctx.session('s', session);
        return 'no failure';
      } catch (error) {
        return error instanceof StepFailed ? error.failure.reason : 'another error';
      }
    });
    for (const attempt of [1, 2, 3]) {
      world.host.finish(`r#s#${attempt}`, { at: 'lost' });
      await world.quiet();
    }
    expect(await world.value(advanced)).toBe('lost');
    expect(world.host.launches).toEqual(['r#s#1', 'r#s#2', 'r#s#3']);
    expect(world.data.slots()).toBe(0);
  }),

  check('a sleep ends when the wall clock says so, also after a suspend', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run(async (ctx) => {
      await ctx.sleep('night', 86_400_000);
      return ctx.now('then');
    });
    await world.pass(86_399_000);
    expect(await world.states()).toEqual({ night: 'open' });
    world.clock.suspend(1000);
    expect(await world.value(advanced)).toBe(world.clock.wall());
  }),

  check(
    'what was emitted is told once, however often the workflow starts again from the top',
    async (subject) => {
      using world = new World(subject);
      await world.run(async (ctx) => {
        ctx.emit('e1', 'begun', null);
        await ctx.step('a', () => 1);
        ctx.emit('e2', 'half', { n: 2 });
        await ctx.ask('q', { text: 'go on?' });
        ctx.emit('e3', 'over', null);
        return null;
      });
      expect(await world.notes()).toEqual(['begun', 'half']);
      world.kill(1);
      const advanced = world.engine(2).advance('r', { stay: true });
      await world.quiet();
      await world.store.answer('r', 'q', { text: 'yes', by: 'me', at: 1 });
      await world.value(advanced);
      expect(await world.notes()).toEqual(['begun', 'half', 'over']);
    },
  ),

  check('the clock and the budget are read once; a replay sees the same', async (subject) => {
    using world = new World(subject);
    await world.run(async (ctx) => {
      const first = await ctx.now('now');
      const { spent } = await ctx.budget('budget');
      await ctx.session('s', session);
      return { first, launches: spent.launches };
    });
    const started = world.clock.wall();
    world.kill(1);
    await world.pass(60_000);
    const advanced = world.engine(2).advance('r', { stay: true });
    await world.quiet();
    world.host.done('r#s#1');
    expect(await world.value(advanced)).toEqual({ first: started, launches: 0 });
  }),
];
