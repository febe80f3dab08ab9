import { expect } from 'vitest';
import type { Ctx } from '../../../src/kernel/ctx.ts';
import type { Json } from '../../../src/lib/json.ts';
import { keyOf, stepIdOf } from '../../../src/model/key.ts';
import { check, session, World, type Check } from '../world.ts';

const limits = { depth: 5 };
const planned = (prompts: Json) => prompts as Readonly<Record<string, string>>;

/** A chain of sessions; each key holds the prompt and what came before. */
async function chain(ctx: Ctx, input: Json): Promise<Json> {
  let before: Json = null;
  for (const [id, prompt] of Object.entries(planned(input))) {
    before = (await ctx.session(keyOf(id, { prompt, before }), { ...session, prompt })) as unknown as Json;
  }
  return before;
}

/** The steps of the plan are the members of its input. */
const outlined = {
  outline: (input: Json) => Object.keys(planned(input)).map((id) => ({ id, needs: [] })),
};

/** Every session answers with its prompt. */
function answerAll(world: World): void {
  world.host.auto = ({ spec }) => ({
    at: 'done',
    outcome: 'SUCCESS',
    value: (spec as { prompt: string }).prompt,
  });
}

const launchedSteps = (world: World) => world.host.launches.map((id) => stepIdOf(id.split('#')[1] ?? ''));

export const amending: readonly Check[] = [
  check(
    'a finished run with one prompt edited runs that step and what depends on it, nothing else',
    async (subject) => {
      using world = new World(subject);
      answerAll(world);
      const prompts = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`s${n}`, `do ${n}`]));
      const { engine, advanced } = await world.run(chain, { input: prompts });
      expect(await world.value(advanced)).toBe('do 19');
      expect(world.host.launches).toHaveLength(20);
      await world.store.amend('r', { input: { ...prompts, s17: 'do it better' }, concurrency: 8, limits });
      expect(await world.value(engine.advance('r', { stay: true }))).toBe('do 19');
      // The last step's own input did not change: only the result before it did, and that came out the same.
      expect(launchedSteps(world).slice(20)).toEqual(['s17', 's18']);
      expect(await world.events()).toContain('run.amended');
    },
  ),

  check(
    'an amendment of a running run keeps what it still uses and ends what it does not',
    async (subject) => {
      using world = new World(subject);
      const body = (ctx: Ctx, input: Json) =>
        ctx
          .all(
            Object.entries(planned(input)).map(
              ([id, prompt]) =>
                () =>
                  ctx.session(keyOf(id, prompt), { ...session, prompt }),
            ),
          )
          .then((parts) => parts.length);
      const { advanced } = await world.run(
        body,
        { input: { kept: '1', changed: '1', dropped: '1' } },
        outlined,
      );
      expect(launchedSteps(world)).toEqual(['kept', 'changed', 'dropped']);
      await world.store.amend('r', { input: { kept: '1', changed: '2' }, concurrency: 8, limits });
      await world.quiet();
      expect(world.host.running().map((id) => stepIdOf(id.split('#')[1] ?? ''))).toEqual(['kept', 'changed']);
      expect(launchedSteps(world)).toEqual(['kept', 'changed', 'dropped', 'changed']);
      for (const id of world.host.running()) world.host.done(id);
      expect(await world.value(advanced)).toBe(2);
      expect(world.data.slots()).toBe(0);
    },
  ),

  check(
    'a crash right after an amendment was taken up does not bring the dropped work back',
    async (subject) => {
      using world = new World(subject);
      const body = (ctx: Ctx, input: Json) =>
        ctx
          .all(
            Object.entries(planned(input)).map(
              ([id, prompt]) =>
                () =>
                  ctx.session(keyOf(id, prompt), { ...session, prompt }),
            ),
          )
          .then((parts) => parts.length);
      await world.run(body, { input: { kept: '1', dropped: '1', queued: '1' }, concurrency: 2 }, outlined);
      world.kill(1);
      await world.store.amend('r', { input: { kept: '1' }, concurrency: 2, limits });
      await world.claim('r', 2);
      world.kill(2);
      const advanced = world.engine(3).advance('r', { stay: true });
      await world.quiet();
      expect(launchedSteps(world)).toEqual(['kept', 'dropped']);
      expect(world.host.running()).toHaveLength(1);
      for (const id of world.host.running()) world.host.done(id);
      expect(await world.value(advanced)).toBe(1);
    },
  ),

  check('an edited step starts when the agent that it replaces has ended, not beside it', async (subject) => {
    using world = new World(subject);
    world.host.endsSlowly = true;
    const local = Promise.withResolvers<Json>();
    let isLocal = false;
    const body = async (ctx: Ctx, input: Json) => {
      const parts = Object.entries(planned(input)).map(
        ([id, prompt]) =>
          () =>
            ctx.session(keyOf(id, prompt), { ...session, prompt }),
      );
      const busy = () => ctx.step(keyOf('local', isLocal), () => (isLocal ? local.promise : 1));
      return (await ctx.all<unknown>([...parts, busy])).length;
    };
    await world.run(body, { input: { changed: '1' } }, outlined);
    const [first = ''] = world.host.launches;
    world.kill(1);
    await world.store.amend('r', { input: { changed: '2', other: '1' }, concurrency: 8, limits });
    isLocal = true;
    const advanced = world.engine(2).advance('r', { stay: true });
    await world.quiet();
    // A local step that is not done yet puts off only that the first agent is ended.
    expect(launchedSteps(world)).toEqual(['changed', 'other']);
    local.resolve(1);
    await world.quiet();
    expect(world.host.ended).toEqual([first]);
    expect(launchedSteps(world)).toEqual(['changed', 'other']);
    const failure = { outcome: 'INTERRUPTED', reason: 'ended', message: 'it is no longer needed' } as const;
    world.host.finish(first, { at: 'failed', failure });
    await world.quiet();
    expect(launchedSteps(world)).toEqual(['changed', 'other', 'changed']);
    for (const id of world.host.running()) world.host.done(id);
    expect(await world.value(advanced)).toBe(3);
  }),

  check('an amendment brings new ceilings', async (subject) => {
    using world = new World(subject);
    answerAll(world);
    const { engine, advanced } = await world.run(chain, {
      input: { a: '1', b: '2' },
      limits: { depth: 5, launches: 1 },
    });
    expect(await world.now(advanced)).toMatchObject({ end: { outcome: 'BUDGET_EXCEEDED' } });
    await world.store.amend('r', {
      input: { a: '1', b: '2' },
      concurrency: 8,
      limits: { depth: 5, launches: 2 },
    });
    await world.reopen((entry) => entry.state.at === 'failed');
    expect(await world.value(engine.advance('r', { stay: true }))).toBe('2');
    expect(launchedSteps(world)).toEqual(['a', 'b']);
  }),

  check('a reopened step runs again as its next attempt; the others do not', async (subject) => {
    using world = new World(subject);
    let bad = true;
    const ran: string[] = [];
    const { engine, advanced } = await world.run(async (ctx) => {
      await ctx.session('s', session);
      await ctx.step('before', () => {
        ran.push('before');
        return null;
      });
      return ctx.step('flaky', ({ number }) => {
        ran.push(`flaky ${number}`);
        if (bad) throw new Error('boom');
        return number;
      });
    });
    world.host.done('r#s#1');
    expect(await world.now(advanced)).toMatchObject({ end: { outcome: 'FAILURE' } });
    bad = false;
    expect(await world.reopen((entry) => entry.state.at === 'failed')).toEqual(['flaky']);
    expect(await world.value(engine.advance('r', { stay: true }))).toBe(2);
    expect(ran).toEqual(['before', 'flaky 1', 'flaky 2']);
    expect(world.host.launches).toEqual(['r#s#1']);
    expect(await world.reopen(() => false)).toEqual([]);
  }),

  check('entries that are no longer as the caller saw them are not reopened', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run((ctx) =>
      ctx.step('a', () => null).then(() => ctx.step('b', () => null)),
    );
    await world.value(advanced);
    const seen = (key: string) => ({ key, attempt: 1, at: 'done' }) as const;
    for (const stale of [{ ...seen('b'), attempt: 2 }, { ...seen('b'), at: 'failed' as const }, seen('c')])
      expect(await world.store.reopen('r', [seen('a'), stale])).toEqual({ at: 'changed' });
    expect((await world.data.queries.run('r'))?.state.at).toBe('ended');
    expect(await world.states()).toEqual({ a: 'done', b: 'done' });
    expect(await world.store.reopen('r', [seen('a')])).toEqual({ at: 'reopened', keys: ['a'] });
    expect(await world.store.reopen('r', [seen('a')])).toEqual({ at: 'changed' });
  }),

  check('an entry that is reopened keeps the time at which it ended', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run((ctx) => ctx.step('a', () => null));
    await world.value(advanced);
    const { endedAt } = await world.entry('a');
    world.clock.advance(3_600_000);
    await world.reopen(({ key }) => key === 'a');
    expect(await world.entry('a')).toMatchObject({ state: { at: 'reopened' }, endedAt });
  }),

  check('an entry at work is not reopened', async (subject) => {
    using world = new World(subject);
    await world.run((ctx) => ctx.session('s', session).then(() => null));
    const seen = { key: 's', attempt: 1, at: 'launched' } as const;
    expect(await world.store.reopen('r', [seen])).toEqual({ at: 'changed' });
    expect(await world.states()).toEqual({ s: 'launched' });
  }),

  check('a reopened session has a new process, and the old one’s result stays out', async (subject) => {
    using world = new World(subject);
    const { engine, advanced } = await world.run((ctx) =>
      ctx.session('s', session).then((end) => end as never),
    );
    world.host.done('r#s#1', 'first');
    await world.value(advanced);
    await world.reopen(({ key }) => key === 's');
    const again = engine.advance('r', { stay: true });
    await world.quiet();
    const late = { at: 'done', outcome: 'SUCCESS', value: 'late' } as const;
    expect(await world.store.complete({ runId: 'r', key: 's', attempt: 1 }, late, null)).toBe(false);
    world.host.done('r#s#2', 'second');
    expect(await world.value(again)).toBe('second');
  }),

  check('a reopened step has all its retries again', async (subject) => {
    using world = new World(subject);
    const tries: number[] = [];
    const { engine, advanced } = await world.run((ctx) =>
      ctx.step(
        'flaky',
        ({ number }) => {
          tries.push(number);
          if (number < 4) throw new Error('boom');
          return 'at last';
        },
        { retries: 1, backoffMs: 10 },
      ),
    );
    await world.pass(10);
    expect(await world.now(advanced)).toMatchObject({ end: { outcome: 'FAILURE' } });
    await world.reopen(() => true);
    const again = engine.advance('r', { stay: true });
    await world.quiet();
    await world.pass(10);
    expect(await world.value(again)).toBe('at last');
    expect(tries).toEqual([1, 2, 3, 4]);
  }),

  check('what does not exist cannot be amended, reopened, halted, resumed or stopped', async (subject) => {
    using world = new World(subject);
    const { store } = world;
    const attempts = [
      store.amend('no', { input: null, concurrency: 1, limits }),
      store.reopen('no', []),
      store.halt('no', ''),
      store.resume('no'),
      store.cancel('no'),
    ];
    for (const one of attempts) await expect(one).rejects.toThrow('there is no run no');
  }),
];
