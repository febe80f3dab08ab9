import { expect, test } from 'vitest';
import { afterRefusal, findObjection } from './objection.ts';
import type { PlanRecord } from './plan-record.ts';

type Refusable = Pick<PlanRecord, 'name' | 'approval' | 'checked'>;

function plan(approval: Partial<PlanRecord['approval']> | null): Refusable {
  const given = { said: 'refused', reason: 'too large', by: 'user:ada', at: 5, tasks: 'digest', ...approval };
  return {
    name: 'p',
    checked: { tasks: 'digest' },
    approval: approval === null ? null : (given as PlanRecord['approval']),
  };
}

test('the reason of a refusal counts for exactly the tasks that were refused', () => {
  expect(findObjection(plan({}))).toEqual({ reason: 'too large', at: 5 });
  expect(findObjection(plan({ tasks: 'others' }))).toBeNull();
  expect(findObjection(plan({ reason: null }))).toBeNull();
  expect(findObjection(plan({ said: 'approved' }))).toBeNull();
  expect(findObjection(plan(null))).toBeNull();
});

test('after a refusal the hint names planning again where a reason was given, else the ways to give one', () => {
  expect(afterRefusal(plan({}))).toBe(
    'plan again with that reason: tutti plan --plan p; if you want it after all: tutti plan approve --plan p',
  );
  expect(afterRefusal(plan({ reason: null }))).toMatch(
    /^say what to change: tutti plan refuse --reason TEXT --plan p; or edit the specification/,
  );
  expect(afterRefusal(plan({ said: 'approved' }))).toBeNull();
});
