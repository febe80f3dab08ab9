import { expect, test } from 'vitest';
import { afterRefusal, findObjections } from './objection.ts';
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

const earlier = [{ reason: 'too slow', at: 4 }];

test('the reasons of refusals count for exactly the tasks that were refused, oldest first', () => {
  expect(findObjections(plan({}))).toEqual([{ reason: 'too large', at: 5 }]);
  expect(findObjections(plan({ earlier }))).toEqual([...earlier, { reason: 'too large', at: 5 }]);
  expect(findObjections(plan({ earlier, reason: null }))).toEqual(earlier);
  expect(findObjections(plan({ earlier, tasks: 'others' }))).toEqual([]);
  expect(findObjections(plan({ reason: null }))).toEqual([]);
  expect(findObjections(plan({ said: 'approved' }))).toEqual([]);
  expect(findObjections(plan(null))).toEqual([]);
});

test('after a refusal the hint names planning again where a reason was given, else the ways to give one', () => {
  expect(afterRefusal(plan({}))).toBe(
    'plan again with that reason: tutti plan --plan p; if you want it after all: tutti plan approve --plan p',
  );
  expect(afterRefusal(plan({ earlier }))).toMatch(/^plan again with these 2 reasons: tutti plan --plan p;/);
  expect(afterRefusal(plan({ reason: null }))).toMatch(
    /^say what to change: tutti plan refuse --reason TEXT --plan p; or edit the specification/,
  );
  expect(afterRefusal(plan({ said: 'approved' }))).toBeNull();
});
