import { expect } from 'vitest';
import { check, childValue, here, operate, session, World, type Check } from '../world.ts';

export const timeAtWork: readonly Check[] = [
  check(
    'time at work: neither a question nor the time after an end counts, and a resume counts on',
    async (subject) => {
      using world = new World(subject);
      const { engine, advanced } = await world.run(
        async (ctx) => {
          await ctx.all<unknown>([() => ctx.session('one', session), () => operate(ctx, 'two', here)]);
          await ctx.ask('q', { text: '?' });
          await ctx.session('later', session);
          return null;
        },
        { limits: { depth: 5, wallMs: 40_000 } },
      );
      await world.pass(10_000);
      world.host.done('r#one#1');
      await world.pass(10_000);
      world.host.done('r#two#1');
      await world.quiet();
      await world.pass(3_600_000);
      await world.store.answer('r', 'q', { text: 'go', by: 'ann', at: 7 });
      engine.wake();
      await world.quiet();
      expect(world.host.attempt('r#later#1').deadlineAt).toBe(world.clock.wall() + 20_000);
      await world.pass(20_000);
      const spent = { outcome: 'BUDGET_EXCEEDED', reason: 'budget', message: 'it is over' } as const;
      world.host.finish('r#later#1', { at: 'failed', failure: spent });
      expect(await world.now(advanced)).toMatchObject({ end: { outcome: 'BUDGET_EXCEEDED' } });
      await world.pass(3_600_000);
      expect(await world.data.queries.budget('r')).toMatchObject({ workMs: 40_000, workSince: null });
      await world.reopen((entry) => entry.state.at === 'failed');
      expect(await world.now(engine.advance('r', { stay: true }))).toMatchObject({
        end: { failure: { reason: 'budget', message: "later: the run's time ceiling of 40s is reached" } },
      });
      await world.store.amend('r', { input: null, concurrency: 8, limits: { depth: 5, wallMs: 50_000 } });
      await world.reopen((entry) => entry.state.at === 'failed');
      const raised = engine.advance('r', { stay: true });
      await world.quiet();
      const [again = ''] = world.host.running();
      expect(world.host.attempt(again).deadlineAt).toBe(world.clock.wall() + 10_000);
      world.host.done(again);
      expect(await world.value(raised)).toBeNull();
    },
  ),

  check(
    'time at work: a run inside a session has a ceiling of its own, and counts what its children do',
    async (subject) => {
      using world = new World(subject);
      world.define('kid', (ctx) => operate(ctx, 'k', here));
      world.define('inner', async (ctx) => {
        await childValue(ctx, 'c', 'kid');
        await ctx.ask('q', { text: '?' });
        return null;
      });
      await world.run((ctx) => ctx.session('outer', session).then(() => null), {
        limits: { depth: 5, wallMs: 90_000 },
      });
      await world.start('in', null, { workflow: 'inner', within: 'r', limits: { depth: 5, wallMs: 40_000 } });
      const inner = world.engine(2).advance('in', { stay: false });
      await world.quiet();
      const kid = world.host.running().find((id) => id !== 'r#outer#1') ?? '';
      expect(world.host.attempt(kid).deadlineAt).toBe(world.clock.wall() + 40_000);
      await world.pass(5000);
      world.host.done(kid);
      expect(await world.now(inner)).toMatchObject({ at: 'parked' });
      await world.pass(5000);
      expect(await world.data.queries.budget('in')).toMatchObject({ workMs: 5000, workSince: null });
      expect(await world.data.queries.budget('r')).toMatchObject({ workMs: 0 });
      expect((await world.data.queries.budget('r'))?.workSince).not.toBeNull();
    },
  ),
];
