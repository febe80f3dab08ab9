import { expect } from 'vitest';
import type { Json } from '../../../src/lib/json.ts';
import { check, session, World, type Check } from '../world.ts';

const kinds: Json = {
  text: 'Grüße \u0000 "quoted" \\ \n \u2028 👩‍🚀 \ud800',
  numbers: [0, -1, 1.5, 1e300, Number.MAX_SAFE_INTEGER, 5e-324],
  truth: [true, false, null],
  empty: ['', [], {}],
  nested: { a: { b: [{ c: null }] } },
  '': 'a name may be empty',
  constructor: 'and may be one of these',
};

export const values: readonly Check[] = [
  check(
    'every kind of JSON value comes back as it was, from the record and from the first run alike',
    async (subject) => {
      using world = new World(subject);
      await world.run(
        async (ctx, input) => {
          const a = await ctx.step('a', () => kinds);
          await ctx.ask('q', { text: '?' });
          return { a, input };
        },
        { input: kinds },
      );
      world.kill(1);
      const advanced = world.engine(2).advance('r', { stay: true });
      await world.quiet();
      await world.store.answer('r', 'q', { text: 'x', by: 'me', at: 1 });
      expect(await world.value(advanced)).toEqual({ a: kinds, input: kinds });
      expect((await world.data.queries.run('r'))?.state).toMatchObject({ value: { a: kinds, input: kinds } });
    },
  ),

  check('what JSON cannot hold is the same on the first run as on a replay', async (subject) => {
    using world = new World(subject);
    const odd = () => ({ undefined, date: new Date(0), nan: NaN, list: [undefined] }) as unknown as Json;
    const { advanced } = await world.run((ctx) => ctx.step('a', odd));
    expect(await world.value(advanced)).toEqual({
      date: '1970-01-01T00:00:00.000Z',
      nan: null,
      list: [null],
    });
    expect((await world.entry('a')).state).toMatchObject({ value: { nan: null, list: [null] } });
  }),

  check(
    'turns of a part are found with their prompts after they ended, the newest first',
    async (subject) => {
      using world = new World(subject);
      const first = { ...session, prompt: 'first' };
      const { advanced } = await world.run(async (ctx) => {
        await ctx.session('a@1', first);
        await ctx.ask('q', { text: '?' });
        return null;
      });
      world.host.done('r#a@1#1');
      await world.quiet();
      world.kill(1);
      void advanced;
      world.define('w', async (ctx) => {
        const beside = await ctx.turnsBeside('a@2');
        const own = await ctx.turnsBeside('a@1');
        const other = await ctx.turnsBeside('b@1');
        return [beside.map(({ key, prompt }) => `${key} ${prompt}`), own.length, other.length];
      });
      expect(await world.value(world.engine(2).advance('r', { stay: true }))).toEqual([['a@1 first'], 0, 0]);
      expect(await world.store.turns('r', ['a@9', 'a@1'])).toEqual([
        { key: 'a@1', prompt: 'first', continues: null },
      ]);
    },
  ),

  check('a value larger than 256 KiB is kept whole, and equal ones share one place', async (subject) => {
    using world = new World(subject);
    const large = { text: 'ü'.repeat(300 * 1024) };
    const { advanced } = await world.run(
      async (ctx, input) => {
        await ctx.step('a', () => large);
        await ctx.step('b', () => large);
        return input;
      },
      { input: large },
    );
    expect(await world.value(advanced)).toEqual(large);
    expect((await world.entry('a')).state).toMatchObject({ value: large });
    expect(await world.data.queries.input('r')).toEqual(large);
  }),

  check('keys may hold any text', async (subject) => {
    using world = new World(subject);
    const keys = ["it's", 'a#b', 'a%b', 'Ünï 👩‍🚀', 'build/heal-1@0f', ' ', 'x'.repeat(500)];
    const { advanced } = await world.run((ctx) => ctx.all(keys.map((key) => () => ctx.step(key, () => key))));
    expect(await world.value(advanced)).toEqual(keys);
    expect(Object.keys(await world.states()).toSorted()).toEqual(keys.toSorted());
  }),
];
