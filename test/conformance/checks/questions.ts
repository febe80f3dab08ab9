import { expect } from 'vitest';
import type { Ctx } from '../../../src/kernel/ctx.ts';
import { withMethods } from '../../rig/cut.ts';
import { check, World, type Check } from '../world.ts';

const asking = (ctx: Ctx) => ctx.ask('q', { text: 'which one?' }).then(({ text }) => text);
const answer = (text: string) => ({ text, by: 'me', at: 5 });

export const questions: readonly Check[] = [
  check('an answer before the question is asked is kept', async (subject) => {
    using world = new World(subject);
    await world.run(async (ctx) => {
      await ctx.sleep('wait', 1000);
      return asking(ctx);
    });
    expect(await world.store.answer('r', 'q', answer('early'))).toBe(true);
    await world.pass(1000);
    expect((await world.data.queries.run('r'))?.state).toMatchObject({ at: 'ended', value: 'early' });
    expect(await world.data.queries.openQuestions()).toEqual([]);
  }),

  check('an answer before the run exists is kept, and a second one is refused', async (subject) => {
    using world = new World(subject);
    expect(await world.store.answer('r', 'q', answer('first'))).toBe(true);
    expect(await world.store.answer('r', 'q', answer('second'))).toBe(false);
    const { advanced } = await world.run(asking);
    expect(await world.value(advanced)).toBe('first');
  }),

  check('of two answers only the one that counts is told to the audit', async (subject) => {
    using world = new World(subject);
    await world.run(asking);
    const made = (about: string) =>
      ({ type: 'decision.made', decision: 'answer', about, by: 'me', session: null }) as const;
    expect(await world.store.answer('r', 'q', answer('first'), made('first'))).toBe(true);
    expect(await world.store.answer('r', 'q', answer('second'), made('second'))).toBe(false);
    const told = [
      ...(await world.data.queries.audit.events(
        { since: 0, session: null, types: ['decision.made'] },
        0,
        1000,
      )),
    ];
    expect(told.map(({ event }) => event)).toMatchObject([{ about: 'first' }]);
  }),

  check(
    'a question is in the inbox until its answer comes; the answer wakes the run once',
    async (subject) => {
      using world = new World(subject);
      const { advanced } = await world.run(asking);
      expect(await world.data.queries.openQuestions()).toMatchObject([
        { runId: 'r', key: 'q', question: { text: 'which one?' } },
      ]);
      expect(await world.store.answer('r', 'q', answer('this one'))).toBe(true);
      expect(await world.store.answer('r', 'q', answer('that one'))).toBe(false);
      expect(await world.value(advanced)).toBe('this one');
      expect(await world.data.queries.openQuestions()).toEqual([]);
      expect((await world.events()).filter((type) => type.startsWith('question'))).toEqual([
        'question.asked',
        'question.answered',
      ]);
    },
  ),

  check(
    'a withdrawn question takes no answer, and a run that still needs one asks again',
    async (subject) => {
      using world = new World(subject);
      await world.run(asking);
      world.kill(1);
      const [asked] = await world.data.queries.openQuestions();
      expect(await world.store.withdraw('r', ['q', 'never asked'])).toEqual(['q']);
      expect(await world.store.withdraw('r', ['q'])).toEqual([]);
      expect(await world.data.queries.openQuestions()).toEqual([]);
      expect(await world.data.queries.questionAt('r', 'q')).toMatchObject({ closed: true });
      expect(await world.store.answer('r', 'q', answer('too late'))).toBe(false);
      expect(await world.store.wakeable(null)).toEqual(['r']);
      expect(await world.engine(2).advance('r', { stay: false })).toMatchObject({ at: 'parked' });
      expect(await world.data.queries.openQuestions()).toMatchObject([{ id: asked?.id, key: 'q' }]);
      expect(await world.store.answer('r', 'q', answer('now'))).toBe(true);
    },
  ),

  check('a driver that waits for a withdrawn question asks it again', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run(asking);
    expect(await world.store.withdraw('r', ['q'])).toEqual(['q']);
    await world.pass(1000);
    expect(await world.store.answer('r', 'q', answer('again'))).toBe(true);
    expect(await world.value(advanced)).toBe('again');
  }),

  check('an answer given while nobody is awake is there after the restart', async (subject) => {
    using world = new World(subject);
    await world.run(asking);
    world.kill(1);
    await world.store.answer('r', 'q', answer('overnight'));
    expect(await world.store.wakeable(null)).toEqual(['r']);
    expect(await world.value(world.engine(2).advance('r', { stay: true }))).toBe('overnight');
  }),

  check(
    'an answer to a parked run makes it wakeable, and its engine takes it up by itself',
    async (subject) => {
      using world = new World(subject);
      world.define('w', asking);
      await world.start('r');
      const engine = world.engine();
      expect(await world.now(engine.advance('r', { stay: false }))).toEqual({ at: 'parked' });
      await world.store.answer('r', 'q', answer('later'));
      await world.quiet();
      expect((await world.data.queries.run('r'))?.state).toMatchObject({ at: 'ended', value: 'later' });
    },
  ),

  check('an answer that comes while the run is being parked is not overlooked', async (subject) => {
    using world = new World(subject);
    await world.start('r');
    const { run } = await world.claim('r');
    const fence = { runId: 'r', epoch: run.epoch };
    await world.store.open(fence, { key: 'q', kind: 'ask', spec: { text: '?' }, priority: 0 });
    await world.store.answer('r', 'q', answer('just now'));
    expect(await world.store.park(fence, run.change)).toBe(false);
    const news = await world.store.news(fence, run.change);
    expect(news.entries).toMatchObject([{ key: 'q', state: { at: 'done', value: { text: 'just now' } } }]);
    expect(await world.store.park(fence, news.change)).toBe(true);
  }),

  check('an answer in the very moment after the run was parked is taken up', async (subject) => {
    using world = new World(subject);
    world.define('w', asking);
    await world.start('r');
    const { store } = world;
    const hasty = withMethods(store, {
      park: async (...args) => {
        const parked = await store.park(...args);
        await store.answer('r', 'q', answer('hasty'));
        return parked;
      },
    });
    expect(await world.now(world.engine(1, { store: hasty }).advance('r', { stay: false }))).toEqual({
      at: 'parked',
    });
    await world.quiet();
    expect((await world.data.queries.run('r'))?.state).toMatchObject({ at: 'ended', value: 'hasty' });
  }),

  check('an answer may overtake the news that its question is open', async (subject) => {
    using world = new World(subject);
    world.define('w', asking);
    await world.start('r');
    const { store } = world;
    let release: () => void = () => undefined;
    const slow = withMethods(store, {
      open: async (...args) => {
        const opened = await store.open(...args);
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return opened;
      },
    });
    const advanced = world.engine(1, { store: slow }).advance('r', { stay: true });
    await world.quiet();
    await store.answer('r', 'q', answer('first'));
    await world.quiet();
    release();
    expect(await world.value(advanced)).toBe('first');
  }),

  check('what is not a question cannot be answered', async (subject) => {
    using world = new World(subject);
    await world.run(async (ctx) => {
      await ctx.sleep('nap', 1000);
      return null;
    });
    expect(await world.store.answer('r', 'nap', answer('wake up'))).toBe(false);
    expect(await world.states()).toEqual({ nap: 'open' });
  }),
];
