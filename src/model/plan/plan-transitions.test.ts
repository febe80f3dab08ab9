import { describe, expect, test } from 'vitest';
import {
  confirmHalt,
  requestHalt,
  tooEarly,
  decidedSince,
  withApproval,
  withMap,
  withSpec,
  withTaskBegun,
  withTasks,
  withUsage,
  withVerdict,
} from './plan-transitions.ts';
import { blankPlan } from './plan-record.ts';
import type { PlanRecord } from './plan-record.ts';

const blank = blankPlan({ name: 'p', targetDir: '/t', projectType: 'new', stack: null, at: 1 });
const said = { by: 'ada', at: 2 };
const ready: PlanRecord = {
  ...blank,
  phase: 'ready',
  specChecksum: 's1',
  checked: { capability_map: 'c1', physical_map: 'p1', tasks: 't1' },
  verdict: { verdict: 'READY', summary: '', issues: [], tasks: 't1', ...said },
};

test('a plan whose task begins is executed, and the task is no orphan any more', () => {
  const checkpoint = {
    status: 'active',
    createdAt: 1,
    tasks: { T001: 'orphaned', T002: 'running' },
  } as const;
  const left = { ...checkpoint, tasks: { T002: 'running' } };
  expect(withTaskBegun(ready, 'T001')).toEqual({ ...ready, phase: 'executing' });
  expect(withTaskBegun({ ...ready, phase: 'complete', checkpoint }, 'T001')).toEqual({
    ...ready,
    phase: 'executing',
    checkpoint: left,
  });
});

describe('a specification', () => {
  test('the first one changes nothing but itself; the same again changes nothing', () => {
    const first = withSpec(blank, 's1');
    expect(first).toEqual({ ...blank, specChecksum: 's1' });
    expect(withSpec(first, 's1')).toBe(first);
  });

  test('another one takes back what stood on it', () => {
    expect(withSpec(ready, 's2')).toEqual({
      ...ready,
      specChecksum: 's2',
      phase: 'logical',
      checked: {},
      verdict: null,
    });
  });
});

describe('a map that passed', () => {
  test('for the first time, and again as it was', () => {
    const logical: PlanRecord = { ...blank, phase: 'logical' };
    const passed = withMap(logical, 'capability_map', 'c1');
    expect(passed).toEqual({ ...logical, checked: { capability_map: 'c1' } });
    expect(withMap(passed, 'capability_map', 'c1')).toBe(passed);
  });

  test('as another one: what was made from it has to pass again', () => {
    expect(withMap(ready, 'capability_map', 'c2')).toMatchObject({
      phase: 'logical',
      checked: { capability_map: 'c2' },
    });
    expect(withMap(ready, 'physical_map', 'p2')).toEqual({
      ...ready,
      phase: 'physical',
      checked: { capability_map: 'c1', physical_map: 'p2' },
    });
  });

  test('is not looked at before its phase', () => {
    expect(tooEarly(blank, 'capability_map')).toBe(
      'the plan is in phase ingestion, and this belongs to logical',
    );
    expect(tooEarly(ready, 'tasks')).toBeNull();
  });
});

describe('tasks that passed', () => {
  test('for the first time, and again as they were', () => {
    const first = withTasks({ ...blank, phase: 'definition' }, 't1', 'other');
    expect(first).toMatchObject({ phase: 'definition', checked: { tasks: 't1' } });
    expect(withTasks(first, 't1', 'same')).toBe(first);
  });

  test('other work needs another verdict', () => {
    expect(withTasks(ready, 't2', 'other')).toMatchObject({ phase: 'validation', checked: { tasks: 't2' } });
  });

  test('the same work in another order keeps its verdict, if it had one', () => {
    expect(withTasks(ready, 't2', 'same')).toMatchObject({
      phase: 'ready',
      checked: { tasks: 't2' },
      verdict: { verdict: 'READY', tasks: 't2' },
    });
    expect(withTasks({ ...ready, verdict: null }, 't2', 'same')).toMatchObject({ verdict: null });
  });
});

describe('what is said of the tasks holds for exactly these', () => {
  const verdict = { verdict: 'READY_WITH_NOTES', summary: 'fine', issues: ['one'], ...said } as const;
  const approval = { said: 'approved', reason: null, ...said } as const;

  test('a verdict', () => {
    expect(withVerdict(ready, verdict)).toMatchObject({ ok: true, value: { verdict: { tasks: 't1' } } });
    expect(withVerdict(blank, verdict)).toEqual({ ok: false, error: 'the tasks are not loaded' });
  });

  test('an approval', () => {
    expect(withApproval(ready, approval)).toMatchObject({ ok: true, value: { approval: { tasks: 't1' } } });
    expect(withApproval({ ...ready, phase: 'validation' }, approval)).toEqual({
      ok: false,
      error: 'the plan is in phase validation, not ready',
    });
  });

  test('refusals of the same tasks keep each other in order, until the tasks change or are approved', () => {
    const refuse = (plan: PlanRecord, reason: string | null, at: number) => {
      const refused = withApproval(plan, { said: 'refused', reason, by: 'ada', at });
      if (!refused.ok) throw new Error(refused.error);
      return refused.value;
    };
    const twice = refuse(refuse(ready, 'too large', 1), 'no tests', 2);
    expect(twice.approval).toMatchObject({ reason: 'no tests', earlier: [{ reason: 'too large', at: 1 }] });
    // Recorded again, by the run that asked.
    expect(refuse(twice, 'no tests', 3).approval?.earlier).toEqual([{ reason: 'too large', at: 1 }]);
    expect(refuse(twice, null, 3).approval?.earlier).toHaveLength(2);
    expect(refuse({ ...twice, checked: { tasks: 't2' } }, 'slow', 3).approval?.earlier).toBeUndefined();
    const approved = withApproval(twice, { ...approval, at: 3 });
    expect(approved.ok && refuse(approved.value, 'slow', 4).approval?.earlier).toBeUndefined();
  });

  test('a decision that was not seen is not replaced; one that was seen, or was about other tasks, is', () => {
    const decided = { ...ready, approval: { said: 'refused', reason: null, tasks: 't1', ...said } } as const;
    const late = 'plan p was refused by ada meanwhile, and the first decision counts';
    expect(decidedSince(decided, 1)).toBe(late);
    expect(decidedSince(decided, 2)).toBeNull();
    expect(decidedSince({ ...decided, checked: { tasks: 't2' } }, 1)).toBeNull();
    expect(decidedSince(ready, 1)).toBeNull();
  });
});

describe('a halt', () => {
  test('the first one to ask is remembered', () => {
    const halted = requestHalt(blank, 'lunch', 5, null);
    expect(halted.halt).toEqual({ reason: 'lunch', requestedAt: 5, confirmedAt: null });
    expect(requestHalt(halted, 'tea', 6, 'user:ada')).toBe(halted);
  });

  test('a person takes the place of an agent that asked first, and no agent that of a person', () => {
    const byAgent = requestHalt(blank, 'stuck', 5, 'session:s');
    expect(byAgent.halt).toMatchObject({ reason: 'stuck', by: 'session:s' });
    expect(requestHalt(byAgent, 'stuck too', 6, 'session:t')).toBe(byAgent);
    const byPerson = requestHalt(byAgent, 'lunch', 7, 'user:ada');
    expect(byPerson.halt).toEqual({ reason: 'lunch', requestedAt: 7, confirmedAt: null, by: 'user:ada' });
    expect(requestHalt(byPerson, 'stuck', 8, 'session:s')).toBe(byPerson);
  });

  test('is confirmed when nothing is at work any more, once', () => {
    const halted = requestHalt(blank, 'lunch', 5, null);
    expect(confirmHalt(blank, [], 9)).toEqual({ ok: false, error: 'it is not halted' });
    expect(confirmHalt(halted, ['T001'], 9)).toEqual({
      ok: false,
      error: 'T001 is still at work, and the plan is halted: lunch',
    });
    expect(confirmHalt(halted, ['T001', 'T002'], 9)).toEqual({
      ok: false,
      error: 'T001 and 1 more is still at work, and the plan is halted: lunch',
    });
    const confirmed = confirmHalt(halted, [], 9);
    expect(confirmed).toMatchObject({ ok: true, value: { halt: { confirmedAt: 9 } } });
    expect(confirmed.ok && confirmHalt(confirmed.value, [], 10)).toEqual(confirmed);
  });
});

test('what agents say they used is added up', () => {
  const once = withUsage(blank, { tokensIn: 10, tokensOut: 2, costUsd: 0.5 });
  expect(withUsage(once, { tokensIn: 1, tokensOut: 1, costUsd: 0.25 }).logged).toEqual({
    tokensIn: 11,
    tokensOut: 3,
    costUsd: 0.75,
  });
});
