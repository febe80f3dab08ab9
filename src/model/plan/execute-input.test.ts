import { expect, test } from 'vitest';
import { task } from '../../../test/execute/plan.ts';
import { basisOf, executeNodes } from './execute-input.ts';

const one = { task: task('T001'), behaviors: [] };
const stack = { tech_stack: null };

test('work is made from its definition, its behaviors, the stack and what it needs; not from its place in the plan', () => {
  const basis = basisOf(one, stack, { T000: 'a' });
  expect(basisOf({ ...one, task: { ...one.task, phase: 3, estimate_hours: 9 } }, stack, { T000: 'a' })).toBe(
    basis,
  );
  const behavior = {
    id: 'B1',
    name: 'b',
    type: 'input',
    description: 'd',
    capability: 'c',
    domain: 'd',
  } as const;
  const others = [
    basisOf({ ...one, task: { ...one.task, name: 'other' } }, stack, { T000: 'a' }),
    basisOf({ ...one, behaviors: [behavior] }, stack, { T000: 'a' }),
    basisOf({ ...one, behaviors: [{ ...behavior, description: 'e' }] }, stack, { T000: 'a' }),
    basisOf(one, { tech_stack: 'node' }, { T000: 'a' }),
    basisOf(one, stack, { T000: 'b' }),
    basisOf(one, stack, {}),
  ];
  expect(new Set([basis, ...others]).size).toBe(7);
});

test('a task waits for what it needs and for those that own one of its files, each once', () => {
  const entry = {
    task: task('T003', ['T001', 'T002']),
    after: ['T002'],
    behaviors: [],
    layers: {},
    attempt: 1,
    done: null,
  };
  expect(executeNodes([entry])).toEqual([{ id: 'T003', needs: ['T001', 'T002'], estimate: 1 }]);
});
