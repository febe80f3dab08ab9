import { expect, test } from 'vitest';
import { admission, type AdmissionFacts } from './admission.ts';
import { budgetOf, noReservation } from './budget.ts';

const facts: AdmissionFacts = {
  run: { state: { at: 'running' }, cancelled: false, depth: 0, concurrency: 2 },
  kind: 'session',
  ask: noReservation,
  inRun: 0,
  sessions: 0,
  maxSessions: 3,
  budgets: [budgetOf({ depth: 1, launches: 5 })],
  now: 0,
};
const empty = budgetOf({ depth: 1, launches: 0 });

test.each<[string, Partial<AdmissionFacts>, ReturnType<typeof admission>]>([
  ['a session that fits is admitted', {}, { verdict: 'admit' }],
  [
    'a run that is stopped admits nothing',
    { run: { ...facts.run, cancelled: true } },
    { verdict: 'wait', scope: 'run' },
  ],
  [
    'a run that drains admits nothing',
    { run: { ...facts.run, state: { at: 'halting', reason: '' } } },
    { verdict: 'wait', scope: 'run' },
  ],
  ['a run without a free slot waits as a whole', { inRun: 2 }, { verdict: 'wait', scope: 'run' }],
  ['a session over the quota waits, and tasks need not', { sessions: 3 }, { verdict: 'wait', scope: 'kind' }],
  [
    'a task needs no quota and no budget',
    { kind: 'task', sessions: 3, budgets: [empty] },
    { verdict: 'admit' },
  ],
  ['a task needs a slot', { kind: 'task', inRun: 2 }, { verdict: 'wait', scope: 'run' }],
])('%s', (_name, change, expected) => {
  expect(admission({ ...facts, ...change })).toEqual(expected);
});

test('what the budget cannot pay is refused for good, even when the quota is full', () => {
  expect(admission({ ...facts, budgets: [empty], sessions: 3 })).toMatchObject({
    verdict: 'refuse',
    failure: { outcome: 'BUDGET_EXCEEDED' },
  });
  expect(admission({ ...facts, run: { ...facts.run, depth: 1 } })).toMatchObject({
    verdict: 'refuse',
    failure: { outcome: 'DEPTH_EXCEEDED' },
  });
});

test('every budget that must pay can refuse', () => {
  const full = budgetOf({ depth: 9, launches: 9 });
  expect(admission({ ...facts, budgets: [full, empty] })).toMatchObject({ verdict: 'refuse' });
  expect(admission({ ...facts, budgets: [empty, full] })).toMatchObject({ verdict: 'refuse' });
  expect(admission({ ...facts, budgets: [full, full] })).toEqual({ verdict: 'admit' });
});
