import { expect } from 'vitest';
import { anySession } from '../../../src/model/ports/session-queries.ts';
import { newRun } from '../../rig/engine.ts';
import { check, newSession, session, World, type Check } from '../world.ts';

const warned = { type: 'session.warned', session: 's', about: 'stall', message: 'nothing happens' } as const;
const refused = { type: 'session.refused', agent: 'a', requester: 'me', message: 'full' } as const;
const everything = { since: 0, session: null, types: null } as const;

/** A run with a session that has ended; the session's id. */
async function ended(world: World): Promise<string> {
  const { advanced } = await world.run((ctx) => ctx.session('s', session).then(() => null));
  world.host.done('r#s#1');
  await world.value(advanced);
  return (await world.data.queries.sessions.newest())?.id ?? '';
}

export const audit: readonly Check[] = [
  check('each event of the audit is given to one caller, and all of them on request', async (subject) => {
    using world = new World(subject);
    for (let n = 0; n < 5; n += 1) await world.store.note(null, { ...refused, message: `${n}` });
    expect(await world.data.queries.audit.isBehind()).toBe(true);
    const stores = [world.store, world.connect()];
    const taken = await Promise.all(stores.map((store) => store.takeAudit(3)));
    const rest = await world.store.takeAudit(3);
    const seqs = [...taken.flat(), ...rest].map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(5);
    expect(seqs).toHaveLength(5);
    expect(await world.store.takeAudit(3)).toEqual([]);
    expect(await world.data.queries.audit.isBehind()).toBe(false);
    expect((await world.store.retakeAudit()).map(({ seq }) => seq)).toEqual(seqs.toSorted((a, b) => a - b));
    expect(await world.store.takeAudit(3)).toEqual([]);
  }),

  check('of two who note the same thing at once, one does', async (subject) => {
    using world = new World(subject);
    const stores = [world.store, world.connect()];
    const noted = await Promise.all(stores.map((store) => store.noteOnce('r', warned, 0)));
    expect(noted.filter(Boolean)).toHaveLength(1);
    expect(await world.store.noteOnce('r', { ...warned, session: 'other' }, 0)).toBe(true);
    expect(await world.store.noteOnce('r', warned, world.clock.wall() + 1)).toBe(true);
    expect(await world.data.queries.warnedSessions('r', 'stall')).toEqual(['s', 'other', 's']);
  }),

  check('the audit is read by time, session, kind and place', async (subject) => {
    using world = new World(subject);
    await world.store.note(null, refused);
    await world.pass(1000);
    await world.store.note('r', warned);
    const { audit: queries } = world.data.queries;
    const all = await queries.events(everything, 0, 10);
    expect(all.map(({ event }) => event)).toEqual([refused, warned]);
    const types = async (filter: object, after = 0, limit = 10) =>
      (await queries.events({ ...everything, ...filter }, after, limit)).map(({ event }) => event.type);
    expect(await types({ session: 's' })).toEqual(['session.warned']);
    expect(await types({ types: ['session.refused'] })).toEqual(['session.refused']);
    expect(await types({ since: world.clock.wall() })).toEqual(['session.warned']);
    expect(await types({}, all[0]?.seq)).toEqual(['session.warned']);
    expect(await types({}, 0, 1)).toEqual(['session.refused']);
  }),

  check('a session is archived once it has ended, and pruned once it is archived', async (subject) => {
    using world = new World(subject);
    const { id: _, ...run } = newRun('', 'w');
    await world.store.startSession({ run, key: 's', session: newSession, slot: 'queue' });
    const waits = (await world.data.queries.sessions.newest())?.id ?? '';
    expect(await world.store.markArchived(waits)).toBe(false);
    const id = await ended(world);
    expect(await world.store.markPruned(id)).toBe(false);
    const stores = [world.store, world.connect()];
    const archivals = await Promise.all(stores.map((store) => store.markArchived(id)));
    expect(archivals.filter(Boolean)).toHaveLength(1);
    const prunings = await Promise.all(stores.map((store) => store.markPruned(id)));
    expect(prunings.filter(Boolean)).toHaveLength(1);
    const archived = await world.data.queries.sessions.list(
      { ...anySession, archived: true },
      { limit: null, before: null },
    );
    expect(archived.map((one) => one.id)).not.toContain(waits);
  }),

  check('events of runs that ended long ago are removed, and of no others', async (subject) => {
    using world = new World(subject);
    await ended(world);
    await world.pass(1000);
    await world.start('still running', null, { workflow: 'w' });
    const before = await world.data.queries.events('still running', 0);
    expect(await world.store.pruneEvents(world.clock.wall() - 2000)).toBe(0);
    expect(await world.store.pruneEvents(world.clock.wall())).toBeGreaterThan(0);
    expect(await world.data.queries.events('r', 0)).toEqual([]);
    expect(await world.data.queries.events('still running', 0)).toEqual(before);
  }),
];
