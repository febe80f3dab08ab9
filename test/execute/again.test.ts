import { expect, test } from 'vitest';
import { plain } from '../../src/lib/json.ts';
import type { Completion } from '../../src/model/entry.ts';
import { basisOf, type ExecuteInput } from '../../src/model/plan/execute-input.ts';
import type { TaskBegun } from '../../src/model/plan/execute-parts.ts';
import { inputOf, task } from './plan.ts';
import { ExecuteWorld, type Played } from './world.ts';

const chain = [task('T001'), task('T002', ['T001']), task('T003', ['T002']), task('T004')];
const made = (id: string): string => `made by ${id}`;

function ends({ verdicts }: Played): Record<string, string> {
  return Object.fromEntries(Object.entries(verdicts).map(([id, { at }]) => [id, at]));
}

/** The input of the next execution, when the record says that all of these are done. */
function afterwards(input: ExecuteInput, done: readonly string[]): ExecuteInput {
  return {
    ...input,
    tasks: input.tasks.map((entry) => {
      const { id, dependencies } = entry.task;
      if (!done.includes(id)) return entry;
      const upstream = Object.fromEntries(dependencies.tasks.map((need) => [need, made(need)]));
      return { ...entry, done: { produced: made(id), basis: basisOf(entry, input.constraints, upstream) } };
    }),
  };
}

const all = chain.map(({ id }) => id);

test('what is done is not done again: a second execution launches nothing', async () => {
  using world = new ExecuteWorld();
  const input = inputOf(chain);
  await world.submit(input);
  expect((await world.play()).outcome).toBe('SUCCESS');
  const launched = world.machine.parts.length;
  await world.submit(afterwards(input, all));
  const again = await world.play();
  expect(again.outcome).toBe('SUCCESS');
  expect(again.verdicts['T002']).toMatchObject({ at: 'done', when: 'before' });
  expect(world.machine.parts).toHaveLength(launched);
});

test('a changed task runs again, and what needs it exactly as far as what was produced is other than before', async () => {
  for (const [makes, ran] of [
    [made('T001'), ['T001']],
    ['something else', ['T001', 'T002']],
  ] as const) {
    using world = new ExecuteWorld({ T001: { makes } });
    const edited = inputOf(chain.map((one) => (one.id === 'T001' ? { ...one, name: 'edited' } : one)));
    await world.submit(afterwards(edited, ['T002', 'T003', 'T004']));
    const end = await world.play();
    expect(end.outcome).toBe('SUCCESS');
    expect(world.machine.begun).toEqual(ran);
    // It was done before, so this is another attempt.
    if (ran.length === 2) expect(end.verdicts['T002']).toMatchObject({ attempt: 2, when: 'now' });
  }
});

test('another behavior behind the same task is other work', async () => {
  using world = new ExecuteWorld();
  const input = afterwards(inputOf(chain), all);
  const behavior = {
    id: 'B1',
    name: 'b',
    type: 'input',
    description: 'now so',
    capability: 'c',
    domain: 'd',
  } as const;
  const tasks = input.tasks.map((entry) =>
    entry.task.id === 'T004' ? { ...entry, behaviors: [behavior] } : entry,
  );
  await world.submit({ ...input, tasks });
  expect((await world.play()).outcome).toBe('SUCCESS');
  expect(world.machine.begun).toEqual(['T004']);
});

test('whoever did a task without saying what from is believed as long as its definition stays', async () => {
  using world = new ExecuteWorld();
  const input = inputOf(chain);
  const tasks = input.tasks.map((entry) =>
    entry.task.id === 'T001' ? { ...entry, done: { produced: 'by hand', basis: null } } : entry,
  );
  await world.submit({ ...input, tasks });
  expect((await world.play()).outcome).toBe('SUCCESS');
  expect(world.machine.begun.toSorted()).toEqual(['T002', 'T003', 'T004']);
});

test('only the tasks that are asked for are worked on', async () => {
  using world = new ExecuteWorld();
  await world.submit({ ...afterwards(inputOf(chain), ['T001']), selected: ['T002'] });
  const end = await world.play();
  expect(ends(end)).toEqual({ T001: 'done', T002: 'done', T003: 'left', T004: 'left' });
  expect(end.outcome).toBe('SUCCESS');
  expect(world.machine.begun).toEqual(['T002']);
  expect(world.machine.parts).not.toContain('plan/complete');
});

function answers(begun: TaskBegun): Completion {
  return { at: 'done', outcome: 'SUCCESS', value: plain(begun) };
}

test('what somebody else has done, is at, or has skipped is theirs', async () => {
  const ways = [
    [
      { at: 'done', attempt: 3, produced: 'x' },
      { T001: 'done', T002: 'done', T003: 'done', T004: 'done' },
      'SUCCESS',
    ],
    [
      { at: 'taken', by: 'agent-7' },
      { T001: 'failed', T002: 'blocked', T003: 'blocked', T004: 'done' },
      'UNAVAILABLE',
    ],
    [
      { at: 'skipped', reason: 'later' },
      { T001: 'skipped', T002: 'blocked', T003: 'blocked', T004: 'done' },
      'PARTIAL_SUCCESS',
    ],
  ] as const;
  for (const [begun, expected, outcome] of ways) {
    using world = new ExecuteWorld();
    world.machine.onBegin = (id) => (id === 'T001' ? answers(begun) : null);
    await world.submit(inputOf(chain));
    const end = await world.play();
    expect(ends(end)).toEqual(expected);
    expect(end.outcome).toBe(outcome);
    expect(world.machine.turns).not.toContain('T001');
  }
});

test('what only shares a file waits, and is not blocked by a failure', async () => {
  using world = new ExecuteWorld({ T001: { says: ['NEEDS_ESCALATION'] } });
  const input = inputOf([task('T001'), task('T002')]);
  const tasks = input.tasks.map((entry) =>
    entry.task.id === 'T002' ? { ...entry, after: ['T001'] } : entry,
  );
  await world.submit({ ...input, tasks });
  expect(ends(await world.play())).toEqual({ T001: 'failed', T002: 'done' });
  expect(world.machine.begun).toEqual(['T001', 'T002']);
  expect(world.machine.parts.indexOf('T002/begin')).toBeGreaterThan(
    world.machine.parts.indexOf('T001/result'),
  );
});

test('work by hand is taken before anything begins, once for each state of it, and as soon as it is found', async () => {
  using world = new ExecuteWorld();
  const input = inputOf(chain);
  const done = (produced: string) => ({
    ...input,
    tasks: input.tasks.map((entry) =>
      entry.task.id === 'T001' ? { ...entry, done: { produced, basis: null, byHand: true } } : entry,
    ),
  });
  const takings = (): number => world.machine.parts.filter((part) => part === 'plan/take-over').length;
  await world.submit(done('p'));
  expect((await world.play()).outcome).toBe('SUCCESS');
  expect(world.machine.parts[0]).toBe('plan/take-over');
  expect(takings()).toBe(1);
  await world.submit(done('p'));
  await world.play();
  expect(takings()).toBe(1);
  await world.submit(done('other'));
  await world.play();
  expect(takings()).toBe(2);
  // Control: what a run did is not taken.
  using driven = new ExecuteWorld();
  await driven.submit(input);
  await driven.play();
  expect(driven.machine.parts).not.toContain('plan/take-over');
  // Somebody was quicker than the run: what needs it waits until it is taken.
  using raced = new ExecuteWorld();
  raced.machine.onBegin = (id) => (id === 'T001' ? answers({ at: 'done', attempt: 1, produced: 'p' }) : null);
  await raced.submit(input);
  await raced.play();
  const parts = raced.machine.parts.filter((part) => !part.startsWith('T004'));
  expect(parts.slice(0, 3)).toEqual(['T001/begin', 'plan/take-over', 'T002/begin']);
});
