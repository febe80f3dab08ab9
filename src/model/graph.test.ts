import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphOf, sentenceOf, type Graph, type GraphNode } from './graph.ts';

/** Any graph: needs may point forwards, to itself and to nowhere. */
const anyNodes = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat(9), { maxLength: 3 }),
      estimate: fc.option(fc.integer({ min: 1, max: 50 })),
    }),
    { maxLength: 10 },
  )
  .map((list): GraphNode[] =>
    list.map(({ needs, estimate }, n) => ({ id: `s${n}`, needs: needs.map((need) => `s${need}`), estimate })),
  );

/** Needs point backwards only, so there is always a plan; the author wrote it in any order. */
const goodNodes = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat(100), { maxLength: 3 }),
      estimate: fc.option(fc.integer({ min: 1, max: 50 })),
    }),
    { maxLength: 12 },
  )
  .chain((list) => {
    const nodes = list.map(({ needs, estimate }, n) => ({
      id: `s${n}`,
      needs: n === 0 ? [] : needs.map((need) => `s${need % n}`),
      estimate,
    }));
    return fc.shuffledSubarray(nodes, { minLength: nodes.length });
  });

function plan(nodes: readonly GraphNode[]): Graph {
  const made = graphOf(nodes);
  if (!made.ok) throw new Error(made.error.map(sentenceOf).join('; '));
  return made.value;
}

test('every step comes after everything it needs', () => {
  fc.assert(
    fc.property(goodNodes, (nodes) => {
      const { order } = plan(nodes);
      expect(order.toSorted()).toEqual(nodes.map(({ id }) => id).toSorted());
      for (const { id, needs } of nodes)
        for (const need of needs) expect(order.indexOf(need)).toBeLessThan(order.indexOf(id));
    }),
  );
});

test('the priority of a step is the length of the longest chain that starts with it', () => {
  fc.assert(
    fc.property(goodNodes, (nodes) => {
      const made = plan(nodes);
      const longest = (id: string): number => {
        const after = nodes.filter(({ needs }) => needs.includes(id)).map((node) => longest(node.id));
        return (nodes.find((node) => node.id === id)?.estimate ?? 1) + Math.max(0, ...after);
      };
      for (const { id } of nodes) expect(made.priority(id)).toBe(longest(id));
    }),
  );
});

test('a graph is refused exactly when it has a problem, and a named cycle really is one', () => {
  fc.assert(
    fc.property(anyNodes, (nodes) => {
      const known = new Set(nodes.map(({ id }) => id));
      const made = graphOf(nodes);
      if (made.ok) return;
      for (const problem of made.error) {
        if (problem.kind === 'unknown') expect(known.has(problem.need)).toBe(false);
        if (problem.kind !== 'cycle') continue;
        expect(problem.path.length).toBeGreaterThan(1);
        expect(problem.path.at(0)).toBe(problem.path.at(-1));
        for (const [n, id] of problem.path.slice(1).entries()) {
          expect(nodes.find((node) => node.id === id)?.needs).toContain(problem.path[n]);
        }
      }
    }),
  );
});

test('doing what is ready, most critical first, does everything once', () => {
  fc.assert(
    fc.property(goodNodes, (nodes) => {
      const made = plan(nodes);
      const [done, started] = [new Set<string>(), new Set<string>()];
      while (done.size < nodes.length) {
        const list = made.ready(done, started);
        const priorities = list.map((id) => made.priority(id));
        expect(priorities).toEqual(priorities.toSorted((a, b) => b - a));
        const [next] = list;
        if (next === undefined) throw new Error('nothing is ready, and not all is done');
        expect(done.has(next)).toBe(false);
        started.add(next);
        done.add(next);
      }
      expect(made.ready(done, started)).toEqual([]);
    }),
  );
});

test('steps of equal weight keep the author’s order', () => {
  const nodes = ['c', 'a', 'b'].map((id) => ({ id, needs: [] }));
  expect(plan(nodes).ready(new Set(), new Set(['a']))).toEqual(['c', 'b']);
});

test('dependents are told once, however often a need is written', () => {
  const made = plan([
    { id: 'a', needs: [] },
    { id: 'b', needs: ['a', 'a'] },
  ]);
  expect(made.dependents('a')).toEqual(['b']);
  expect(made.dependents('nobody')).toEqual([]);
  expect(made.priority('nobody')).toBe(0);
});

test.each([
  [
    [
      { id: 'a', needs: [] },
      { id: 'a', needs: [] },
      { id: 'a', needs: [] },
    ],
    "two steps have the id 'a'",
  ],
  [[{ id: 'a', needs: ['b'] }], "step 'a' needs 'b', which does not exist"],
  [[{ id: 'a', needs: ['a'] }], 'these steps wait for each other: a → a'],
  [
    [
      { id: 'a', needs: ['c'] },
      { id: 'b', needs: ['a'] },
      { id: 'c', needs: ['b'] },
      { id: 'd', needs: ['a'] },
    ],
    'these steps wait for each other: a → b → c → a',
  ],
])('%j is refused before anything starts: %s', (nodes, sentence) => {
  const made = graphOf(nodes);
  expect(made.ok ? [] : made.error.map(sentenceOf)).toEqual([sentence]);
});

test('of a step that is not in the graph nothing is known', () => {
  const made = plan([{ id: 'a', needs: [] }]);
  expect([made.priority('x'), made.needs('x'), made.dependents('x')]).toEqual([0, [], []]);
});
