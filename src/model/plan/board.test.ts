import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Graph, graphOf, type GraphNode } from '../graph.ts';
import { boardOf } from './board.ts';
import type { TaskState } from './task-state.ts';

function graph(nodes: readonly GraphNode[]): Graph {
  const made = graphOf(nodes);
  if (!made.ok) throw new Error('not a graph');
  return made.value;
}

const pending: TaskState = { at: 'pending' };
const running: TaskState = { at: 'running', by: 'x', attempt: 1, since: 0, snapshot: null };
const skipped: TaskState = { at: 'skipped', endedAt: 0, reason: '' };
const failed: TaskState = {
  at: 'failed',
  attempt: 1,
  since: 0,
  endedAt: 1,
  error: { category: 'test', message: '', retryable: true },
  rescue: null,
};
const done: TaskState = {
  at: 'done',
  attempt: 1,
  since: 0,
  endedAt: 1,
  files: { created: [], modified: [] },
  verification: { verdict: 'PASS', criteria: [] },
  produced: 'p',
  basis: 'b',
};

test('what may start is told with the most critical first, and what waits for it waits', () => {
  const plan = graph([
    { id: 'T001', needs: [] },
    { id: 'T002', needs: ['T001'], estimate: 1 },
    { id: 'T003', needs: ['T001'], estimate: 5 },
    { id: 'T004', needs: ['T002', 'T003'] },
  ]);
  const states = new Map<string, TaskState>([['T001', done]]);
  expect(boardOf(plan, (id) => states.get(id) ?? pending)).toEqual({
    ready: ['T003', 'T002'],
    running: [],
    done: ['T001'],
    failed: [],
    skipped: [],
    blocked: new Map(),
    waiting: ['T004'],
  });
});

test('what needs something failed or skipped is blocked by it, however far away; the others go on', () => {
  const plan = graph([
    { id: 'T001', needs: [] },
    { id: 'T002', needs: ['T001'] },
    { id: 'T003', needs: ['T002'] },
    { id: 'T004', needs: [] },
    { id: 'T005', needs: ['T004'] },
    { id: 'T006', needs: [] },
    { id: 'T007', needs: ['T006'] },
  ]);
  const states = new Map<string, TaskState>([
    ['T001', failed],
    ['T004', skipped],
    ['T006', running],
  ]);
  expect(boardOf(plan, (id) => states.get(id) ?? pending)).toMatchObject({
    ready: [],
    running: ['T006'],
    failed: ['T001'],
    skipped: ['T004'],
    blocked: new Map([
      ['T002', 'T001'],
      ['T003', 'T001'],
      ['T005', 'T004'],
    ]),
    waiting: ['T007'],
  });
});

test('every task is in exactly one place, and exactly the dependents of what failed are blocked', () => {
  const plans = fc.array(
    fc.record({
      needs: fc.array(fc.nat(50), { maxLength: 3 }),
      state: fc.constantFrom(pending, running, done, failed),
    }),
    { minLength: 1, maxLength: 30 },
  );
  fc.assert(
    fc.property(plans, (list) => {
      const nodes = list.map(({ needs }, n) => ({
        id: `${n}`,
        needs: n === 0 ? [] : needs.map((need) => `${need % n}`),
      }));
      const board = boardOf(graph(nodes), (id) => list[Number(id)]?.state ?? pending);
      const all = [board.ready, board.running, board.done, board.failed, board.skipped, board.waiting].flat();
      expect([...all, ...board.blocked.keys()].toSorted()).toEqual(nodes.map(({ id }) => id).toSorted());
      const hit = (id: string): boolean =>
        nodes
          .find((node) => node.id === id)
          ?.needs.some((need) => {
            const at = list[Number(need)]?.state.at;
            return at === 'failed' || (at === 'pending' && hit(need));
          }) === true;
      const blocked = nodes.filter(({ id }) => list[Number(id)]?.state.at === 'pending' && hit(id));
      expect([...board.blocked.keys()].toSorted()).toEqual(blocked.map(({ id }) => id).toSorted());
    }),
  );
});
