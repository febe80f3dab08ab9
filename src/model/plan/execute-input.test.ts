import { expect, test } from 'vitest';
import { task } from '../../../test/execute/plan.ts';
import { basisOf, executeNodes, openTasks } from './execute-input.ts';

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

test('there is something to do for what is not done, and for what was done from something else', () => {
  const entry = (
    id: string,
    needs: readonly string[],
    done: { produced: string; basis: string | null } | null,
  ) => ({
    task: task(id, needs),
    after: [],
    behaviors: [],
    layers: {},
    attempt: 1,
    done,
  });
  const basis = basisOf({ task: task('T002', ['T001']), behaviors: [] }, stack, { T001: 'a' });
  const constraints = { tech_stack: null, project_context: '' };
  const open = (first: string | null, second: string | null) =>
    openTasks({
      constraints,
      tasks: [
        entry('T001', [], first === null ? null : { produced: first, basis: null }),
        entry('T002', ['T001'], { produced: 'b', basis: second }),
      ],
    });
  expect(open('a', basis)).toEqual([]);
  expect(open('other', basis)).toEqual(['T002']);
  expect(open('other', null)).toEqual([]);
  // What stands on it is not known yet.
  expect(open(null, basis)).toEqual(['T001']);
});
