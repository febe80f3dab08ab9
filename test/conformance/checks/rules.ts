import { expect } from 'vitest';
import type { Ctx } from '../../../src/kernel/ctx.ts';
import type { Json } from '../../../src/lib/json.ts';
import { check, here, operate, session, World, type Check } from '../world.ts';

async function messageOf(world: World, body: (ctx: Ctx) => Promise<Json>): Promise<string> {
  const { advanced } = await world.run(body);
  const end = await world.now(advanced);
  return end.at === 'ended' ? (end.end.failure?.message ?? 'no failure') : end.at;
}

export const rules: readonly Check[] = [
  check('a key used twice in one run is an error that names the rule', async (subject) => {
    using world = new World(subject);
    const message = await messageOf(world, async (ctx) => {
      await ctx.step('a', () => 1);
      return ctx.step('a', () => 2);
    });
    expect(message).toBe("key 'a' is used twice in one run: give each operation its own key");
  }),

  check('an emitted event has a key of its own too', async (subject) => {
    using world = new World(subject);
    const message = await messageOf(world, async (ctx) => {
      ctx.emit('a', 'x', null);
      return ctx.step('a', () => 2);
    });
    expect(message).toContain("key 'a' is used twice");
  }),

  check('a key whose kind changed between restarts is an error that names the rule', async (subject) => {
    using world = new World(subject);
    await world.run(async (ctx) => {
      await ctx.step('a', () => 1);
      await ctx.ask('q', { text: '?' });
      return null;
    });
    world.kill(1);
    world.define('w', (ctx) => operate(ctx, 'a', here).then(() => null));
    const end = await world.now(world.engine(2).advance('r', { stay: true }));
    expect(end).toMatchObject({
      end: { failure: { message: "key 'a' was a step and is now a task: a key never changes its meaning" } },
    });
    expect(world.host.launches).toEqual([]);
  }),

  check('waiting for something outside the context is an error, not a run that hangs', async (subject) => {
    using world = new World(subject);
    const message = await messageOf(world, async (ctx) => {
      await ctx.step('a', () => 1);
      return new Promise<Json>(() => undefined);
    });
    expect(message).toContain('awaits something that is not an operation of its context');
  }),

  check('a recorded winner that is no longer a part of the race is an error', async (subject) => {
    using world = new World(subject);
    await world.run(async (ctx) => {
      await ctx.race<unknown>('r1', {
        fast: (c) => c.step('f', () => 1),
        slow: (c) => c.session('s', session),
      });
      await ctx.ask('q', { text: '?' });
      return null;
    });
    world.kill(1);
    world.define('w', (ctx) => ctx.race('r1', { slow: (c) => c.step('x', () => 1) }));
    const end = await world.now(world.engine(2).advance('r', { stay: true }));
    expect(end).toMatchObject({
      end: { failure: { message: expect.stringContaining("was won by 'fast'") as string } },
    });
  }),

  check('a workflow that throws ends its run with the message', async (subject) => {
    using world = new World(subject);
    expect(await messageOf(world, () => Promise.reject(new Error('a bug')))).toBe('a bug');
  }),

  check('a workflow that this program does not have is an error that names it', async (subject) => {
    using world = new World(subject);
    await world.start('r', null, { workflow: 'gone' });
    await expect(world.now(world.engine().advance('r', { stay: true }))).rejects.toThrow(
      "needs the workflow 'gone'",
    );
  }),
];
