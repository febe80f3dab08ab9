import { expect, test } from 'vitest';
import { err, ok } from '../../lib/result.ts';
import { planPhases } from './phase.ts';
import {
  advance,
  blankPlan,
  describeRefusal,
  fallBack,
  notExecutable,
  type PlanRecord,
} from './plan-record.ts';

const blank = blankPlan({ name: 'p', targetDir: '/t', projectType: 'new', stack: null, at: 1 });
const by = { by: 'ada', at: 2 };
const whole: PlanRecord = {
  ...blank,
  specChecksum: 's',
  checked: { capability_map: 'c', physical_map: 'p', tasks: 't' },
  verdict: { verdict: 'READY', summary: 'fine', issues: [], tasks: 't', ...by },
  approval: { said: 'approved', reason: null, tasks: 't', ...by },
};

test('a plan that owes nothing goes through all phases and stays complete', () => {
  const seen = [];
  let plan = whole;
  for (
    let next = advance(plan, { total: 3, open: 0 });
    next.ok;
    next = advance(plan, { total: 3, open: 0 })
  ) {
    seen.push(plan.phase);
    plan = next.value;
  }
  expect([...seen, plan.phase]).toEqual(planPhases);
  expect(advance(plan, { total: 3, open: 0 })).toEqual(err('the plan is complete'));
});

test('a halt stays through every phase and is gone once the plan is complete', () => {
  const halt = { reason: 'lunch', requestedAt: 1, confirmedAt: null };
  const counts = { total: 3, open: 0 };
  expect(advance({ ...whole, phase: 'ready', halt }, counts)).toMatchObject({ value: { halt } });
  expect(advance({ ...whole, phase: 'executing', halt }, counts)).toMatchObject({ value: { halt: null } });
});

test.each<[Partial<PlanRecord>, string]>([
  [{ phase: 'ingestion', specChecksum: null }, 'the specification is not stored yet'],
  [{ phase: 'logical', checked: {} }, 'artifacts/capability-map.json has not passed its validation'],
  [{ phase: 'physical', checked: {} }, 'artifacts/physical-map.json has not passed its validation'],
  [{ phase: 'definition', checked: {} }, 'the tasks are not loaded'],
  [{ phase: 'validation', verdict: null }, 'there is no verdict on these tasks'],
  [{ phase: 'validation', checked: { tasks: 'edited' } }, 'there is no verdict on these tasks'],
  [
    { phase: 'validation', verdict: { verdict: 'BLOCKED', summary: 'no', issues: [], tasks: 't', ...by } },
    'the verdict is BLOCKED: no',
  ],
  [{ phase: 'sequencing', checked: {} }, 'the tasks are not loaded'],
  [{ phase: 'ready', approval: null }, 'the plan is not approved'],
  [{ phase: 'ready', checked: { tasks: 'edited' } }, 'the plan is not approved'],
  [{ phase: 'executing' }, '2 of 3 tasks are not done'],
])('what a phase owes is said: %j', (owing, said) => {
  expect(advance({ ...whole, ...owing }, { total: 3, open: 2 })).toEqual(err(said));
});

test('a plan without tasks is never complete', () => {
  expect(advance({ ...whole, phase: 'executing' }, { total: 0, open: 0 })).toEqual(
    err('0 of 0 tasks are not done'),
  );
});

test('only a plan that is ready and approved as it stands may be executed', () => {
  expect(notExecutable(whole)).toBe('the plan is in phase ingestion, not ready');
  const ready: PlanRecord = { ...whole, phase: 'ready' };
  expect(notExecutable(ready)).toBeNull();
  expect(notExecutable({ ...ready, approval: null })).toBe('the plan is not approved');
  expect(notExecutable({ ...ready, approval: null, checked: {} })).toBe('the plan is not approved');
  expect(notExecutable({ ...ready, checked: { tasks: 'edited' } })).toBe('the plan is not approved');
  const refused = { said: 'refused', reason: 'no', tasks: 't', ...by } as const;
  expect(notExecutable({ ...ready, approval: refused })).toBe(`the plan was refused by ${by.by}: no`);
});

test('a plan falls back, never forward', () => {
  expect(fallBack({ ...whole, phase: 'ready' }, 'physical').phase).toBe('physical');
  expect(fallBack({ ...whole, phase: 'logical' }, 'physical').phase).toBe('logical');
  expect(ok(fallBack(whole, 'ingestion'))).toEqual(ok(whole));
});

test('a refusal names who refused the plan, and why where a reason was given', () => {
  const refused = { said: 'refused' as const, reason: null, tasks: 't', ...by };
  expect(describeRefusal(blank)).toBeNull();
  expect(describeRefusal(whole)).toBeNull();
  expect(describeRefusal({ approval: refused })).toBe('the plan was refused by ada');
  expect(describeRefusal({ approval: { ...refused, reason: 'too\nlarge' } })).toBe(
    'the plan was refused by ada: too large',
  );
});
