import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { goodPlan } from '../../../test/plans/good-plan.ts';
import { graphOf } from '../graph.ts';
import type { PlanTask } from './plan-task.ts';
import { unorderedPairs } from './unordered-pairs.ts';
import { serialised } from './serialise.ts';

const [model] = goodPlan().tasks;

function task(number: number, phase: number, needs: readonly number[], files: readonly string[]): PlanTask {
  if (model === undefined) throw new Error('no task');
  return {
    ...model,
    id: `T${number}`,
    phase,
    dependencies: { tasks: needs.map((need) => `T${need}`), external: [] },
    files: files.map((path) => ({ path, action: 'modify', purpose: '' })),
  };
}

test('two tasks that own one file get an order, and it is said', () => {
  const { nodes, added, graph } = serialised([
    task(1, 1, [], ['a', 'b']),
    task(2, 1, [], ['b']),
    task(3, 1, [], ['c']),
  ]);
  expect(added).toEqual([{ before: 'T1', after: 'T2', file: 'b' }]);
  expect(nodes.map(({ needs }) => needs)).toEqual([[], ['T1'], []]);
  expect(graph?.needs('T2')).toEqual(['T1']);
});

test('those that have an order already, near or far, keep it and nothing is said', () => {
  const tasks = [task(1, 1, [], ['a']), task(2, 1, [1], []), task(3, 1, [2], ['a']), task(4, 1, [3], ['a'])];
  const { nodes, added } = serialised(tasks);
  expect(added).toEqual([]);
  expect(nodes.map(({ needs }) => needs)).toEqual([[], ['T1'], ['T2'], ['T3']]);
});

test('an earlier phase comes first, even if more must be done before it', () => {
  const tasks = [task(1, 3, [], ['a']), task(2, 1, [], []), task(3, 1, [2], ['a'])];
  expect(serialised(tasks).added).toEqual([{ before: 'T3', after: 'T1', file: 'a' }]);
});

test('a task that names a file twice does not wait for itself, and a graph at hand is used', () => {
  const tasks = [task(1, 1, [], ['a', 'a']), task(2, 1, [], ['a'])];
  const made = graphOf(tasks.map(({ id }) => ({ id, needs: [] })));
  const { added } = serialised(tasks, made.ok ? made.value : undefined);
  expect(added).toEqual([{ before: 'T1', after: 'T2', file: 'a' }]);
});

test('a graph that is broken stays as it is', () => {
  const tasks = [task(1, 1, [2], ['a']), task(2, 1, [1], ['a'])];
  expect(serialised(tasks)).toEqual({
    nodes: tasks.map(({ id, dependencies, estimate_hours: estimate }) => ({
      id,
      needs: dependencies.tasks,
      estimate,
    })),
    graph: null,
    added: [],
  });
});

const plans = fc
  .array(
    fc.record({
      phase: fc.integer({ min: 1, max: 4 }),
      needs: fc.array(fc.nat(100), { maxLength: 2 }),
      files: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((list) =>
    list.map(({ phase, needs, files }, n) =>
      task(n, phase, n === 0 ? [] : needs.map((need) => need % n), files),
    ),
  );

test('whatever the plan, there is never a circle, and no two owners of a file can run at the same time', () => {
  fc.assert(
    fc.property(plans, (tasks) => {
      const { nodes, added } = serialised(tasks);
      const graph = graphOf(nodes);
      if (!graph.ok) throw new Error('a circle');
      const rank = new Map(graph.value.order.map((id, index) => [id, index]));
      for (const file of ['a', 'b', 'c', 'd', 'e']) {
        const owners = tasks
          .filter(({ files }) => files.some(({ path }) => path === file))
          .map(({ id }) => id);
        const sorted = owners.toSorted((a, b) => Number(rank.get(a)) - Number(rank.get(b)));
        const pairs = sorted.slice(1).map((to, index) => ({ from: String(sorted[index]), to }));
        expect(unorderedPairs(graph.value, pairs)).toEqual([]);
      }
      expect(serialised(tasks).added).toEqual(added);
    }),
  );
});

test('a way is found if and only if there is one, for any number of starts', () => {
  fc.assert(
    fc.property(plans, (tasks) => {
      const made = graphOf(serialised(tasks).nodes);
      if (!made.ok) throw new Error('a circle');
      const graph = made.value;
      const above = (id: string): ReadonlySet<string> =>
        new Set(graph.needs(id).flatMap((need) => [need, ...above(need)]));
      const pairs = tasks.flatMap((a) => tasks.map((b) => ({ from: a.id, to: b.id })));
      const expected = pairs.filter(({ from, to }) => from !== to && !above(to).has(from));
      expect(unorderedPairs(graph, pairs)).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});
