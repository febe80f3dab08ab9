import { expect } from 'vitest';
import { blankPlan } from '../../../src/model/plan/plan-record.ts';
import { check, World, type Check } from '../world.ts';

const plan = blankPlan({ name: 'p', targetDir: '/t', projectType: 'new', stack: null, at: 1 });

export const snapshots: readonly Check[] = [
  check('a snapshot shows one state, whatever is written meanwhile', async (subject) => {
    using world = new World(subject);
    await world.start('r');
    using snapshot = await world.data.queries.snapshot();
    await world.store.halt('r', 'meanwhile');
    await world.start('s');
    await world.store.createPlan(plan);
    await world.store.answer('r', 'q', { text: 'now', by: 'me', at: 1 });
    expect((await snapshot.runs(null)).map(({ id, state }) => [id, state.at])).toEqual([['r', 'running']]);
    expect(await snapshot.entries('r')).toEqual([]);
    expect(await snapshot.plans.all()).toEqual([]);
    expect((await snapshot.events(null, 0)).map(({ event }) => event.type)).toEqual(['run.started']);
    expect(await snapshot.wakeable(null)).toEqual(['r']);
    expect((await world.data.queries.runs(null)).map(({ id, state }) => [id, state.at])).toEqual([
      ['s', 'running'],
      ['r', 'halting'],
    ]);
    using later = await world.data.queries.snapshot();
    expect(await later.runs(null)).toHaveLength(2);
  }),

  check('a snapshot keeps no writer waiting, and is gone when it is disposed of', async (subject) => {
    using world = new World(subject);
    for (let n = 0; n < 20; n += 1) {
      using snapshot = await world.data.queries.snapshot();
      await world.start(`r${n}`);
      expect(await snapshot.runs(null)).toHaveLength(n);
    }
    expect(await world.data.queries.runs(null)).toHaveLength(20);
  }),
];
