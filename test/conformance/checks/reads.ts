import { expect } from 'vitest';
import { anySession } from '../../../src/model/ports/session-queries.ts';
import { holder, newRun } from '../../rig/engine.ts';
import { check, newSession, session, World, type Check } from '../world.ts';

const whole = { limit: null, before: null } as const;
const ids = (list: readonly { readonly id: string }[]): readonly string[] => list.map(({ id }) => id);

/** Creates a session that was asked for by itself; its id. */
async function created(world: World, change: object = {}, slot: 'now' | 'queue' = 'queue'): Promise<string> {
  const { id: _, ...run } = newRun('', 'w');
  const answer = await world.store.startSession({
    run,
    key: 's',
    session: { ...newSession, ...change },
    slot,
  });
  return answer.at === 'started' ? answer.id : '';
}

/** What people and programs read besides what the other checks look at. */
export const reads: readonly Check[] = [
  check('runs are listed newest first, with those inside them and who holds them', async (subject) => {
    using world = new World(subject);
    await world.start('a', { of: 'a' });
    await world.pass(1);
    await world.start('b', null, { within: 'a' });
    const { queries } = world.data;
    expect(ids(await queries.runs(null))).toEqual(['b', 'a']);
    expect(ids(await queries.runs(1))).toEqual(['b']);
    expect(await queries.runsInside('a')).toEqual(['b']);
    expect(await queries.input('a')).toEqual({ of: 'a' });
    expect(await queries.run('nowhere')).toBeNull();
    expect(await queries.holder('a')).toBeNull();
    await world.claim('a');
    expect(await queries.holder('a')).toEqual(holder(1));
    expect(await queries.holders()).toEqual([holder(1)]);
    const until = world.clock.monotonic() + 30_000;
    expect(await queries.lease(holder(1).id)).toEqual({ holder: holder(1), until });
    expect(await queries.lease('nowhere')).toBeNull();
    expect([...(await queries.wakeable(null))].toSorted()).toEqual(['a', 'b']);
    expect(await queries.wakeable('nowhere')).toEqual([]);
    expect((await queries.budget('a'))?.limits).toEqual({ depth: 5 });
    expect(await world.store.budget('b')).toMatchObject({ limits: { depth: 5 } });
    expect(await queries.budget('nowhere')).toBeNull();
  }),

  check('entries, their specs, slots and the feed of a run can be read', async (subject) => {
    using world = new World(subject);
    await world.run(async (ctx) => {
      await ctx.step('work/verdict@1', () => null);
      return ctx.session('s', session).then(() => null);
    });
    const { queries } = world.data;
    expect((await queries.entries('r')).map(({ key }) => key)).toEqual(['work/verdict@1', 's']);
    expect(await queries.entry('r', 's')).toMatchObject({ kind: 'session', state: { at: 'launched' } });
    expect(await queries.entry('r', 'nowhere')).toBeNull();
    expect((await queries.spec('r', 's'))?.prompt).toBe(session.prompt);
    expect(await queries.spec('r', 'nowhere')).toBeNull();
    expect(await queries.slots('r')).toEqual({ inRun: 1, sessions: 1 });
    expect(await queries.succeededSteps()).toEqual([{ runId: 'r', step: 'work' }]);
    const events = await queries.events('r', 0);
    expect(await queries.lastSeq('r')).toBe(events.at(-1)?.seq);
    expect(await queries.events('r', events[0]?.seq ?? 0, 1)).toEqual(events.slice(1, 2));
    expect(await queries.events(null, 0)).toEqual(events);
    expect((await world.store.turns('r', ['s', 'nowhere'])).map(({ key }) => key)).toEqual(['s']);
  }),

  check('a question is found by its number and its key, and the last answered of a run', async (subject) => {
    using world = new World(subject);
    await world.run(
      (ctx) => ctx.ask('q', { text: '?' }).then(() => ctx.ask('next', { text: '??' })) as never,
    );
    const { queries } = world.data;
    const [open] = await queries.openQuestions();
    const number = Number(open?.id.slice(1));
    expect(await queries.question(number)).toMatchObject({ key: 'q', answer: null, closed: false });
    expect(await queries.question(number + 100)).toBeNull();
    expect(await queries.lastAnswered('r')).toBeNull();
    await world.store.answer('r', 'q', { text: 'yes', by: 'me', at: 1 });
    await world.quiet();
    expect(await queries.questionAt('r', 'q')).toMatchObject({ answer: 'yes' });
    expect(await queries.questionAt('r', 'nowhere')).toBeNull();
    expect(await queries.lastAnswered('r')).toMatchObject({ key: 'q', answer: 'yes' });
    expect((await queries.openQuestions('r')).map(({ key }) => key)).toEqual(['next']);
    expect(await world.store.withdraw('r', ['next', 'q'])).toEqual(['next']);
    expect(await queries.openQuestions('r')).toEqual([]);
    expect(await queries.questionsOf('no session')).toEqual([]);
  }),

  check('sessions are listed by state, tag and parent, in pages, newest first', async (subject) => {
    using world = new World(subject);
    const a = await created(world, { baseId: 'a', tags: ['x', 'y'] });
    const b = await created(world, { baseId: 'b', tags: ['x'], parent: a });
    const c = await created(world, { baseId: 'c' }, 'now');
    const { sessions } = world.data.queries;
    expect(ids(await sessions.list(anySession, whole))).toEqual([c, b, a]);
    expect(ids(await sessions.list(anySession, { limit: 1, before: c }))).toEqual([b]);
    expect(ids(await sessions.list({ ...anySession, tags: ['x', 'y'] }, whole))).toEqual([a]);
    expect(ids(await sessions.list({ ...anySession, parent: a }, whole))).toEqual([b]);
    expect(await sessions.totals(anySession)).toEqual({ CREATED: 3 });
    expect(ids(await sessions.startingWith('b', 5))).toEqual([b]);
    expect((await sessions.newest())?.id).toBe(c);
    expect((await sessions.one(a))?.tags).toEqual(['x', 'y']);
    expect(await sessions.one('nowhere')).toBeNull();
    const waiting = await sessions.unlaunched();
    expect(waiting.filter(({ promised }) => promised).map(({ session: { id } }) => id)).toEqual([c]);
    expect(waiting).toHaveLength(3);
    expect([...ids(await sessions.live())].toSorted()).toEqual([a, b, c].toSorted());
  }),

  check('a session that runs is among the launched, and what it took is spent', async (subject) => {
    using world = new World(subject);
    const { advanced } = await world.run((ctx) => ctx.session('s', session).then(() => null));
    const { sessions } = world.data.queries;
    const [launched] = await sessions.launched();
    expect(launched).toMatchObject({ session: { runId: 'r', key: 's' }, entry: { key: 's' } });
    const ref = { runId: 'r', key: 's', attempt: 1 };
    expect(await sessions.isLaunched(ref)).toBe(true);
    expect(ids(await sessions.spending({ runId: 'r', since: 0 }))).toEqual([launched?.session.id]);
    expect(await sessions.spending({ runId: 'r', since: world.clock.wall() + 1 })).toEqual([]);
    world.host.done('r#s#1');
    await world.value(advanced);
    expect(await sessions.isLaunched(ref)).toBe(false);
    expect(await sessions.launched()).toEqual([]);
    expect(ids(await sessions.ofRun('r'))).toEqual([launched?.session.id]);
  }),
];
