import { expect } from 'vitest';
import { blankPlan } from '../../../src/model/plan/plan-record.ts';
import type { TaskRow } from '../../../src/model/plan/task-row.ts';
import { goodPlan } from '../../plans/good-plan.ts';
import { check, World, type Check } from '../world.ts';

const plan = blankPlan({ name: 'p', targetDir: '/t', projectType: 'new', stack: null, at: 1 });
const rows: readonly TaskRow[] = goodPlan({ tasks: 3 }).tasks.map((task) => ({
  task,
  state: { at: 'pending' },
}));
const running = { at: 'running', by: 'r', attempt: 1, since: 1, snapshot: null } as const;
const decided = { type: 'decision.made', decision: 'approve', about: 'p', by: 'me', session: null } as const;

/** A world with the plan and three tasks; the version it has then. */
async function planned(world: World): Promise<number> {
  const { store } = world;
  expect(await store.createPlan(plan)).toBe('created');
  const before = await store.readPlan('p');
  expect(await store.writePlan('p', before?.version ?? -1, { tasks: rows })).toMatchObject({ at: 'written' });
  return (await store.readPlan('p'))?.version ?? -1;
}

export const plans: readonly Check[] = [
  check('a plan is created once, and read with its version', async (subject) => {
    using world = new World(subject);
    const { store } = world;
    expect(await store.readPlan('p')).toBeNull();
    const stores = [store, world.connect()];
    const answers = await Promise.all(stores.map((one) => one.createPlan(plan)));
    expect(answers.toSorted()).toEqual(['created', 'exists']);
    expect((await store.readPlan('p'))?.plan).toEqual(plan);
    const { plans: queries } = world.data.queries;
    expect(await queries.one('p')).toEqual(plan);
    expect(await queries.one('q')).toBeNull();
    await store.createPlan({ ...plan, name: 'q', updatedAt: 2 });
    expect((await queries.all()).map(({ name }) => name)).toEqual(['q', 'p']);
  }),

  check('of two writes that were decided from one version, one is written', async (subject) => {
    using world = new World(subject);
    const version = await planned(world);
    const stores = [world.store, world.connect()];
    const written = await Promise.all(
      stores.map((store, n) => store.writePlan('p', version, { plan: { ...plan, stack: `stack ${n}` } })),
    );
    expect(written.map(({ at }) => at).toSorted()).toEqual(['changed', 'written']);
    const winner = written.findIndex(({ at }) => at === 'written');
    const now = await world.store.readPlan('p');
    expect(now?.plan.stack).toBe(`stack ${winner}`);
    expect(now?.version).toBeGreaterThan(version);
    expect(await world.store.writePlan('nowhere', 0, {})).toEqual({ at: 'changed' });
  }),

  check('a write that came too late changes neither task nor audit', async (subject) => {
    using world = new World(subject);
    const version = await planned(world);
    const task = { id: 'T001', state: running };
    expect(await world.store.writePlan('p', version, { task, made: decided })).toMatchObject({
      at: 'written',
    });
    const late = { task: { id: 'T002', state: running }, tasks: [], made: decided };
    expect(await world.store.writePlan('p', version, late)).toEqual({ at: 'changed' });
    const { plans: queries, audit } = world.data.queries;
    expect((await queries.states('p')).map(({ id, at }) => [id, at])).toEqual([
      ['T001', 'running'],
      ['T002', 'pending'],
      ['T003', 'pending'],
    ]);
    const filter = { since: 0, session: null, types: ['decision.made'] as const };
    expect(await audit.events(filter, 0, 10)).toHaveLength(1);
  }),

  check('a task that moves makes the next version of its plan', async (subject) => {
    using world = new World(subject);
    const version = await planned(world);
    await world.store.writePlan('p', version, { task: { id: 'T001', state: running } });
    expect((await world.store.readPlan('p'))?.version).toBeGreaterThan(version);
  }),

  check('tasks are found whole, as nodes, by their state and by their number', async (subject) => {
    using world = new World(subject);
    const version = await planned(world);
    await world.store.writePlan('p', version, { task: { id: 'T002', state: running } });
    const { plans: queries } = world.data.queries;
    expect((await queries.tasks('p')).map(({ task }) => task)).toEqual(rows.map(({ task }) => task));
    expect(await queries.task('p', 'T002')).toEqual({ task: rows[1]?.task, state: running });
    expect(await queries.task('p', 'T009')).toBeNull();
    expect((await queries.nodes('p')).map(({ id }) => id)).toEqual(['T001', 'T002', 'T003']);
    expect(await queries.node('p', 'T002')).toMatchObject({ id: 'T002', at: 'running', needs: ['T001'] });
    expect(await queries.node('p', 'T009')).toBeNull();
    expect(await queries.counts('p')).toEqual({ pending: 2, running: 1 });
    expect(await queries.counts('nowhere')).toEqual({});
  }),

  check('tasks that a plan no longer has are gone', async (subject) => {
    using world = new World(subject);
    const version = await planned(world);
    await world.store.writePlan('p', version, { tasks: rows.slice(0, 1) });
    expect((await world.data.queries.plans.tasks('p')).map(({ task }) => task.id)).toEqual(['T001']);
  }),
];
