import { expect, test } from 'vitest';
import { oldOperationNames, readOperation } from '../../../model/operations.ts';
import { planOperations } from './plan-operations.ts';

/** Names that databases of earlier releases hold. Nothing may be removed from this list. */
const recordedNames = `
  plan-ingest plan-base plan-base-run plan-base-record plan-check plan-settle plan-keep-edits plan-verdict-begin
  plan-verdict plan-judged plan-approval plan-approve take-over command-on-commit plan-complete task-begin workspace-open
  bundle task-written task-diff task-restore accept seal land bring-up-to-date task-result`
  .trim()
  .split(/\s+/);

test.each(recordedNames)('an entry that records the operation %s can still be run', (name) => {
  expect(planOperations).toHaveProperty([readOperation({ name, args: {}, workspace: '/w' }).name]);
});

test('an old name is no present one, so nothing changed its meaning', () => {
  const old = Object.keys(oldOperationNames);
  expect(old.filter((name) => Object.hasOwn(planOperations, name))).toEqual([]);
  expect(recordedNames).toEqual(expect.arrayContaining(old));
});
