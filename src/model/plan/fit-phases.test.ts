import { expect, test } from 'vitest';
import { goodPlan } from '../../../test/plans/good-plan.ts';
import { graphOf } from '../graph.ts';
import { contestedPhases, fitPhases, type HeldPhases, type OrderedTasks } from './fit-phases.ts';
import { nodesOf } from './serialise.ts';
import { phaseIssues } from './validate-task-order.ts';

/*
 * T001 is the foundation, T002 to T004 are the steel thread, T005 to T008 are features in phase 3. T008 needs T005, and
 * nothing needs T006 or T007.
 */
const { tasks, capabilityMap: capabilities } = goodPlan();

/** As an auditor left them. */
function ordered(phases: Readonly<Record<string, number>> = {}): OrderedTasks {
  const placed = tasks.map((task) => ({ ...task, phase: phases[task.id] ?? task.phase }));
  const graph = graphOf(nodesOf(placed));
  if (!graph.ok) throw new Error('the tasks make no graph');
  return { tasks: placed, capabilities, graph: graph.value };
}

function held(phases: Readonly<Record<string, number>>, ...chosen: readonly string[]): HeldPhases {
  return { phases: new Map(Object.entries(phases)), chosen: new Set(chosen) };
}

/** Only what differs from the plan's own phases. */
function fit(given: OrderedTasks, wanted: HeldPhases): Readonly<Record<string, number>> {
  const own = new Map(tasks.map(({ id, phase }) => [id, phase]));
  return Object.fromEntries([...fitPhases(given, wanted)].filter(([id, phase]) => own.get(id) !== phase));
}

test('a held phase stays, whatever the auditor gave the task', () => {
  expect(fit(ordered({ T007: 4 }), held({ T006: 9, T007: 5 }))).toEqual({ T006: 9, T007: 5 });
});

test('a task that is not held follows a need that is held in a later phase', () => {
  const wanted = held({ T005: 6 }, 'T005');
  expect(fit(ordered(), wanted)).toEqual({ T005: 6, T008: 6 });
  expect(contestedPhases(ordered(), wanted)).toEqual([]);
  // The same again, when the phases were written already.
  expect(fit(ordered({ T005: 6 }), wanted)).toEqual({ T005: 6, T008: 6 });
  expect(contestedPhases(ordered({ T005: 6 }), wanted)).toEqual([]);
});

test('a feature that follows a need into the phase of the steel thread goes to the one after it', () => {
  const early = ordered({ T002: 1, T003: 1, T006: 1 });
  const fitted = fitPhases(early, held({ T002: 2, T003: 2 }));
  expect(fitted.get('T006')).toBe(3);
  const placed = early.tasks.map((task) => ({ ...task, phase: fitted.get(task.id) ?? 0 }));
  expect(phaseIssues(placed, capabilities, early.graph)).toEqual([]);
});

test('one held phase that does not fit gives way, and the others stay', () => {
  expect(fit(ordered(), held({ T002: 3, T006: 7 }))).toEqual({ T006: 7 });
});

test('a chosen phase does not give way: what it contradicts is contested', () => {
  const steel = held({ T002: 3, T006: 7 }, 'T002', 'T006');
  expect(contestedPhases(ordered(), steel)).toEqual(['T002']);
  expect(fitPhases(ordered(), steel).get('T002')).toBe(3);
  // T008 is the same work as before, and would have to leave its phase.
  const follower = held({ T005: 4, T008: 3 }, 'T005');
  expect(contestedPhases(ordered(), follower)).toEqual(['T005']);
});

test("the auditor's own mistakes stay, for the check to return them", () => {
  expect(fit(ordered({ T008: 1 }), held({ T006: 7 }))).toEqual({ T006: 7, T008: 1 });
});

test('held phases of a good plan stay and are never contested', () => {
  const wanted = held(Object.fromEntries(tasks.map(({ id, phase }) => [id, phase])), 'T002', 'T008');
  expect(fit(ordered({ T005: 5, T008: 9 }), wanted)).toEqual({});
  expect(contestedPhases(ordered({ T005: 5, T008: 9 }), wanted)).toEqual([]);
});
