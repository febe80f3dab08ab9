import { expect, test } from 'vitest';
import { task } from '../../../test/execute/plan.ts';
import {
  basisOf,
  type ExecuteInput,
  executeNodes,
  nextAttempt,
  openTasks,
  verifies,
  withoutWaivers,
  withReopened,
} from './execute-input.ts';
import type { TaskRow } from './task-row.ts';

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

const entry = (id: string) => ({
  task: task(id),
  after: [],
  behaviors: [],
  layers: {},
  attempt: 1,
  done: null,
});
const agent = { name: 'a' } as unknown as ExecuteInput['agents']['executor'];
const whole: ExecuteInput = {
  plan: 'p',
  projectDir: '/p',
  planDir: '/p/.tutti/plans/p',
  target: {} as unknown as ExecuteInput['target'],
  tasks: [entry('T001'), entry('T002'), entry('T003')],
  agents: { executor: agent, verifier: agent },
  constraints: { tech_stack: null, project_context: '' },
  checksums: {} as unknown as ExecuteInput['checksums'],
  selected: null,
  undeclared: 'ask',
  sessionTimeoutMs: 1,
  acceptanceTimeoutMs: 1,
  verify: true,
};

test('an input without waivers stays as it is', () => {
  expect(withoutWaivers(whole, [], 'ask')).toBeNull();
  expect(withoutWaivers({ ...whole, undeclared: 'refuse' }, [], 'ask')).toBeNull();
  expect(withoutWaivers({ ...whole, undeclared: 'accept' }, [], 'accept')).toBeNull();
});

test('waivers are over with their command, and tasks that were done meanwhile stay done', () => {
  const done = { at: 'done', attempt: 2, produced: 'x', byHand: true } as unknown as TaskRow['state'];
  const rows: readonly TaskRow[] = [
    { task: task('T001'), state: done },
    { task: { ...task('T002'), name: 'other work' }, state: done },
  ];
  const waived: ExecuteInput = { ...whole, withoutVerifier: true, undeclared: 'accept' };
  expect([verifies(whole), verifies(waived), verifies({ verify: false })]).toEqual([true, false, false]);
  const [first, ...others] = whole.tasks;
  expect(withoutWaivers(waived, rows, 'ask')).toEqual({
    ...whole,
    tasks: [{ ...first, attempt: 2, done: { produced: 'x', basis: null, byHand: true } }, ...others],
  });
  // A run of an earlier release, whose keys say that there is no verifier.
  const basis = { at: 'done', attempt: 2, produced: 'x', basis: 'b' } as unknown as TaskRow['state'];
  const old = withoutWaivers(
    { ...whole, verify: false, undeclared: 'refuse' },
    [{ task: task('T001'), state: basis }],
    'ask',
  );
  expect(old).toMatchObject({
    verify: true,
    undeclared: 'refuse',
    tasks: [{ done: { produced: 'x', basis: 'b' } }, {}, {}],
  });
  expect(old?.tasks[0]?.done).not.toHaveProperty('byHand');
});

test('a finished task that was reopened is open with its next number, unless it is other work by now', () => {
  const known = { produced: 'x', basis: null };
  const finished = { ...whole, tasks: whole.tasks.map((each) => ({ ...each, done: known })) };
  const open = { at: 'pending', attempts: 1 } as const;
  const other = { task: { ...task('T002'), name: 'other work' }, state: open };
  expect(withReopened(finished, [other])).toBe(finished);
  const stillDone = { at: 'done', attempt: 3 } as unknown as TaskRow['state'];
  expect(withReopened(finished, [{ task: task('T001'), state: stillDone }])).toBe(finished);
  const running = { at: 'running', attempt: 2 } as unknown as TaskRow['state'];
  expect([stillDone, running, open].map(nextAttempt)).toEqual([3, 2, 2]);
  expect(withReopened(whole, [{ task: task('T001'), state: open }])).toBe(whole);
  const [first, ...others] = finished.tasks;
  expect(withReopened(finished, [{ task: task('T001'), state: open }, other])).toEqual({
    ...finished,
    tasks: [{ ...first, attempt: 2, done: null }, ...others],
  });
});
