import { expect } from 'vitest';
import { check, session, World, type Check } from '../world.ts';

export const recovery: readonly Check[] = [
  check('every transaction is numbered, under one name of the data', async (subject) => {
    using world = new World(subject);
    const before = await world.store.lineage();
    await world.start('r');
    const after = await world.connect().lineage();
    expect(after.id).toBe(before.id);
    expect(after.id).not.toBe('');
    expect(after.changes).toBeGreaterThanOrEqual(before.changes);
    expect(await world.store.isInPlace()).toBe(true);
    expect(await world.store.backUp(0)).toBe(false);
    expect(await world.store.missingInCopy()).toBe(0);
  }),

  check('runs and sessions are known, and kept with what is needed to find them again', async (subject) => {
    using world = new World(subject);
    await world.run((ctx) => ctx.session('s', session).then(() => null));
    const id = (await world.data.queries.sessions.newest())?.id ?? '';
    for (const known of ['r', id]) expect(await world.store.knows(known)).toBe(true);
    expect(await world.store.knows('nowhere')).toBe(false);
    expect(JSON.stringify(await world.store.keptRun('r'))).toContain('"r"');
    expect(await world.store.keptRun('nowhere')).toBeNull();
    expect(JSON.stringify(await world.store.keptTurn(id))).toContain(session.prompt);
    expect(await world.store.keptTurn('nowhere')).toBeNull();
  }),

  check('an amended run has another mark', async (subject) => {
    using world = new World(subject);
    await world.start('r', 'one');
    const before = await world.store.runMark('r');
    expect(await world.store.runMark('r')).toBe(before);
    await world.store.amend('r', { input: 'two', concurrency: 1, limits: { depth: 5 } });
    expect(await world.store.runMark('r')).not.toBe(before);
  }),

  check('a process that only looks can change nothing', async (subject) => {
    using world = new World(subject);
    const looks = world.connect();
    await world.start('r');
    await looks.refuseChanges();
    await expect(looks.halt('r', 'no')).rejects.toThrow();
    expect((await world.data.queries.run('r'))?.state).toEqual({ at: 'running' });
    expect(await looks.wakeable(null)).toEqual(['r']);
  }),
];
