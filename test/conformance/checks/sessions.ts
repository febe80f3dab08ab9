import { expect } from 'vitest';
import type { Completion } from '../../../src/model/entry.ts';
import { failure } from '../../../src/model/failure.ts';
import { unknownUsage } from '../../../src/model/usage.ts';
import type { SessionRequest, SessionStarted } from '../../../src/model/ports/store.ts';
import { newRun } from '../../rig/engine.ts';
import { check, newSession, session, World, type Check } from '../world.ts';

function request(change: Partial<SessionRequest> = {}): SessionRequest {
  const { id: _, ...run } = newRun('', 'w', null, {});
  return { run, key: 's', session: newSession, slot: 'now', ...change };
}

async function started(world: World, change: Partial<SessionRequest> = {}): Promise<string> {
  const answer = await world.store.startSession(request(change));
  if (answer.at !== 'started') throw new Error(`not started but ${answer.at}`);
  return answer.id;
}

const done: Completion = { at: 'done', outcome: 'SUCCESS', value: null };

function define(world: World): void {
  world.define('w', (ctx) => ctx.session('s', session).then(() => 'done'));
}

/** Sessions that were asked for by themselves: their slot is promised when they are created. */
export const sessions: readonly Check[] = [
  check(
    'of twenty who ask at once exactly as many get a slot as there are, with ids of their own',
    async (subject) => {
      using world = new World(subject, { maxSessions: 5 });
      const stores = Array.from({ length: 20 }, (_, n) => (n < 10 ? world.store : world.connect()));
      const answers = await Promise.all(stores.map((store) => store.startSession(request())));
      const ids = answers.flatMap((answer: SessionStarted) => (answer.at === 'started' ? [answer.id] : []));
      expect(new Set(ids).size).toBe(5);
      expect(answers.filter(({ at }) => at === 'full')).toHaveLength(15);
      expect(await world.data.queries.runs(null)).toHaveLength(5);
      expect(world.data.slots()).toBe(5);
    },
  ),

  check(
    'a session names the one it continues until it runs, and keeps that name afterwards',
    async (subject) => {
      using world = new World(subject);
      const id = await started(world);
      const ref = { runId: id, key: 's', attempt: 1 };
      expect(await world.store.continueSession(id, 'an-earlier-one')).toBe(true);
      expect((await world.data.queries.sessions.one(id))?.continues).toBe('an-earlier-one');
      await world.store.begin(ref);
      expect(await world.store.continueSession(id, 'another')).toBe(false);
      expect(await world.store.continueSession('nowhere', 'another')).toBe(false);
      expect((await world.data.queries.sessions.one(id))?.continues).toBe('an-earlier-one');
    },
  ),

  check('a session whose process vanished is lost, and one that crashed is not', async (subject) => {
    using world = new World(subject);
    const end = { status: 'FAILED', exitCode: null, outcome: 'FAILURE', usage: unknownUsage } as const;
    const endWith = async (completion: Completion) => {
      const id = await started(world);
      await world.store.begin({ runId: id, key: 's', attempt: 1 });
      expect((await world.data.queries.sessions.one(id))?.lost).toBe(false);
      await world.store.complete({ runId: id, key: 's', attempt: 1 }, completion, end);
      return world.data.queries.sessions.one(id);
    };
    const ended = { status: 'FAILED', outcome: 'FAILURE', exitCode: null };
    expect(await endWith({ at: 'lost' })).toMatchObject({ ...ended, lost: true });
    const crashed: Completion = { at: 'failed', failure: failure('signal', 'ended by SIGSEGV') };
    expect(await endWith(crashed)).toMatchObject({ ...ended, lost: false });
  }),

  check(
    'a session that no process saw running began and ended when its launcher says so',
    async (subject) => {
      using world = new World(subject);
      const id = await started(world);
      const now = (await world.data.queries.sessions.one(id))?.createdAt ?? 0;
      const times = { startedAt: now - 2, endedAt: now - 1 };
      const end = {
        status: 'COMPLETED',
        exitCode: 0,
        outcome: 'SUCCESS',
        usage: unknownUsage,
        ...times,
      } as const;
      await world.store.complete({ runId: id, key: 's', attempt: 1 }, done, end);
      expect(await world.data.queries.sessions.one(id)).toMatchObject(times);
    },
  ),

  check('the slot of a session that ended silently is free for the one that is started', async (subject) => {
    using world = new World(subject, { maxSessions: 1 });
    define(world);
    const id = await started(world);
    const advanced = world.engine().advance(id, { stay: false });
    await world.quiet();
    const end = { status: 'FAILED', exitCode: null, outcome: 'FAILURE', usage: unknownUsage } as const;
    const ended = [
      { ref: { runId: id, key: 's', attempt: 1 }, completion: { at: 'lost' }, session: end },
    ] as const;
    expect(await world.store.startSession(request())).toEqual({ at: 'full', max: 1 });
    expect(await world.store.startSession(request(), undefined, ended)).toMatchObject({ at: 'started' });
    expect(await world.data.queries.sessions.one(id)).toMatchObject({ status: 'FAILED', lost: true });
    expect(world.data.slots()).toBe(1);
    await world.store.cancel(id);
    world.host.done(`${id}#s#1`);
    await advanced;
  }),

  check('a promised slot goes to its own session, and is counted once', async (subject) => {
    using world = new World(subject, { maxSessions: 1 });
    define(world);
    const id = await started(world);
    expect(await world.store.startSession(request())).toEqual({ at: 'full', max: 1 });
    const advanced = world.engine().advance(id, { stay: false });
    await world.quiet();
    expect(await world.data.queries.sessions.ofRun(id)).toMatchObject([{ id, attempt: 1 }]);
    expect(world.data.slots()).toBe(1);
    world.host.done(`${id}#s#1`);
    expect(await world.value(advanced)).toBe('done');
    expect(world.data.slots()).toBe(0);
    expect(await world.data.queries.sessions.ofRun(id)).toHaveLength(1);
  }),

  check('what queues for a slot takes none before its turn, and others do not starve it', async (subject) => {
    using world = new World(subject, { maxSessions: 1 });
    define(world);
    const first = await started(world);
    const second = await started(world, { slot: 'queue' });
    expect(world.data.slots()).toBe(1);
    const engine = world.engine();
    const advances = [first, second].map((id) => engine.advance(id, { stay: false }));
    await world.quiet();
    expect(world.host.launches).toEqual([`${first}#s#1`]);
    world.host.done(`${first}#s#1`);
    await world.quiet();
    world.host.done(`${second}#s#1`);
    for (const advanced of advances) expect(await world.value(advanced)).toBe('done');
  }),

  check('a session that is stopped before it starts never does, and gives its slot back', async (subject) => {
    using world = new World(subject, { maxSessions: 1 });
    define(world);
    const id = await started(world);
    await world.store.cancel(id);
    await world.now(world.engine().advance(id, { stay: false }));
    expect(world.host.launches).toEqual([]);
    expect(world.data.slots()).toBe(0);
    expect(await world.data.queries.sessions.ofRun(id)).toMatchObject([
      { status: 'KILLED', outcome: 'INTERRUPTED' },
    ]);
    expect(await started(world)).not.toBe(id);
  }),

  check('a halted run keeps no slot that it does not use', async (subject) => {
    using world = new World(subject, { maxSessions: 1 });
    define(world);
    const id = await started(world);
    await world.store.halt(id, 'pause');
    expect(await world.now(world.engine().advance(id, { stay: false }))).toEqual({ at: 'halted' });
    expect(world.data.slots()).toBe(0);
    await world.store.resume(id);
    const advanced = world.engine(2).advance(id, { stay: false });
    await world.quiet();
    world.host.done(`${id}#s#1`);
    expect(await world.value(advanced)).toBe('done');
  }),

  check('a session that no budget pays is refused, and nothing of it is left', async (subject) => {
    using world = new World(subject);
    const { run } = request();
    const answer = await world.store.startSession(request({ run: { ...run, limits: { depth: 0 } } }));
    expect(answer).toMatchObject({ at: 'refused', failure: { outcome: 'DEPTH_EXCEEDED' } });
    await world.start('root', null, { limits: { depth: 5, launches: 0 } });
    const inside = await world.store.startSession(request({ run: { ...run, within: 'root' } }));
    expect(inside).toMatchObject({ at: 'refused', failure: { outcome: 'BUDGET_EXCEEDED' } });
    expect((await world.data.queries.runs(null)).map(({ id }) => id)).toEqual(['root']);
    expect(world.data.slots()).toBe(0);
  }),

  check(
    'a run that was handed over goes on with whoever comes next, who starts nothing again',
    async (subject) => {
      using world = new World(subject);
      define(world);
      const id = await started(world);
      const first = world.engine(1).advance(id, { stay: false, handOver: true });
      expect(await world.now(first)).toEqual({ at: 'handed-over' });
      expect(await world.store.wakeable(null)).toEqual([id]);
      const second = world.engine(2).advance(id, { stay: false });
      await world.quiet();
      expect(world.host.launches).toEqual([`${id}#s#1`]);
      world.host.done(`${id}#s#1`);
      expect(await world.value(second)).toBe('done');
      expect(world.host.launches).toEqual([`${id}#s#1`]);
    },
  ),

  check(
    'a crash between the promise and the launch keeps both for whoever advances next',
    async (subject) => {
      using world = new World(subject, { maxSessions: 1 });
      define(world);
      const id = await started(world);
      world.kill(1);
      expect(await world.store.wakeable(null)).toEqual([id]);
      expect(await world.store.startSession(request())).toMatchObject({ at: 'full' });
      const advanced = world.engine(2).advance(id, { stay: false });
      await world.quiet();
      world.host.done(`${id}#s#1`);
      expect(await world.value(advanced)).toBe('done');
    },
  ),
];
