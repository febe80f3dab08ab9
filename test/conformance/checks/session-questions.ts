import { expect } from 'vitest';
import type { Question } from '../../../src/model/question.ts';
import { check, session, World, type Check } from '../world.ts';

const question: Question = { text: 'permission to execute: make', options: ['allow', 'deny'], until: 9 };
const answer = (text: string) => ({ text, by: 'me', at: 5 });

/** A run with one session at work; its id. */
async function working(world: World): Promise<string> {
  await world.run((ctx) => ctx.session('s@1', session).then(() => 'done'));
  const [found] = await world.data.queries.sessions.ofRun('r');
  if (found === undefined) throw new Error('there is no session');
  return found.id;
}

/** What sessions at work ask people: bound to the session, and no part of what the run waits for. */
export const sessionQuestions: readonly Check[] = [
  check('what a session asks is in the inbox once, however often it is told', async (subject) => {
    using world = new World(subject);
    const id = await working(world);
    expect(await world.store.askInSession(id, 1, question)).toBe(true);
    expect(await world.store.askInSession(id, 1, question)).toBe(false);
    expect(await world.connect().askInSession(id, 2, { text: 'and this?' })).toBe(true);
    expect(await world.data.queries.openQuestions('r')).toMatchObject([
      { runId: 'r', key: `s/permission-1@${id}`, question, asker: { session: id, request: 1 } },
      { question: { text: 'and this?' }, asker: { session: id, request: 2 } },
    ]);
    expect((await world.events()).filter((type) => type === 'question.asked')).toHaveLength(2);
  }),

  check(
    'the first answer to a session counts, and an answered question is not asked again',
    async (subject) => {
      using world = new World(subject);
      const id = await working(world);
      expect(await world.store.answerInSession(id, 1, answer('early'))).toBe(false);
      await world.store.askInSession(id, 1, question);
      const stores = [world.store, world.connect()];
      const taken = await Promise.all(stores.map((store, n) => store.answerInSession(id, 1, answer(`${n}`))));
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await world.store.askInSession(id, 1, question)).toBe(false);
      expect(await world.data.queries.openQuestions()).toEqual([]);
      expect(await world.data.queries.questionsOf(id)).toMatchObject([
        { answer: `${taken.indexOf(true)}`, answeredAt: 5, closed: false },
      ]);
      expect((await world.events()).filter((type) => type === 'question.answered')).toHaveLength(1);
    },
  ),

  check('a question of a session parks nothing, and its answer is no news for the run', async (subject) => {
    using world = new World(subject);
    const id = await working(world);
    const before = (await world.data.queries.run('r'))?.change;
    await world.store.askInSession(id, 1, question);
    await world.store.answerInSession(id, 1, answer('allow'));
    await world.quiet();
    expect((await world.data.queries.run('r'))?.change).toBe(before);
    expect(await world.states()).toEqual({ 's@1': 'launched' });
  }),

  check('with a session its open questions end, and it can ask no more', async (subject) => {
    using world = new World(subject);
    const id = await working(world);
    await world.store.askInSession(id, 1, question);
    await world.store.askInSession(id, 2, question);
    await world.store.answerInSession(id, 1, answer('allow'));
    world.host.done('r#s@1#1');
    await world.quiet();
    expect(await world.data.queries.openQuestions()).toEqual([]);
    expect((await world.data.queries.questionsOf(id)).map(({ closed }) => closed)).toEqual([false, true]);
    expect(await world.store.answerInSession(id, 2, answer('allow'))).toBe(false);
    expect(await world.store.askInSession(id, 3, question)).toBe(false);
    expect(await world.store.askInSession('nobody', 1, question)).toBe(false);
  }),

  check(
    'what was asked is still asked after a restart, and whoever adopts asks nothing twice',
    async (subject) => {
      using world = new World(subject);
      const id = await working(world);
      await world.store.askInSession(id, 1, question);
      world.kill(1);
      const advanced = world.engine(2).advance('r', { stay: true });
      await world.quiet();
      expect(await world.store.askInSession(id, 1, question)).toBe(false);
      expect(await world.data.queries.openQuestions('r')).toHaveLength(1);
      world.host.done('r#s@1#1');
      expect(await world.value(advanced)).toBe('done');
      expect(await world.data.queries.openQuestions()).toEqual([]);
    },
  ),
];
