import { afterAll, beforeAll, expect, test } from 'vitest';
import { taskStatuses } from '../../src/app/plans/agent-led/task-json.ts';
import { stepMarks } from '../../src/cli/render/step-line.ts';
import { outcomes } from '../../src/model/outcome.ts';
import { planPhases } from '../../src/model/plan/phase.ts';
import { sessionStatuses } from '../../src/model/session.ts';
import { allSessions, findLies, type Matrix } from './matrix/calls.ts';
import { playMatrix } from './matrix/matrix.ts';
import { trueTasks } from './matrix/plan-rows.ts';
import { holderStates } from './matrix/project.ts';
import { rows } from './matrix/rows.ts';
import { readingCommands } from './reading-commands.ts';
import { rowsOf } from './rows.ts';

let matrix: Matrix;
let before: readonly string[];

beforeAll(async () => {
  matrix = await playMatrix();
  before = rowsOf(matrix.project.path);
});

afterAll(() => {
  matrix.project[Symbol.dispose]();
});

test('every command that only looks has a row in the matrix', () => {
  expect(Object.keys(rows).toSorted()).toEqual(readingCommands().toSorted());
});

/** In the order of the alphabet, each once. */
const all = (words: Iterable<string>): readonly string[] => [...new Set(words)].toSorted();

test('the matrix has a cell for every state of runs, steps, sessions, plans and tasks', () => {
  const { runs, plans } = matrix;
  const states = ['running', 'undriven', 'waiting', 'paused', 'halting', 'halted', 'ended'];
  expect(all(runs.map(({ truth }) => truth.state))).toEqual(all(states));
  expect(all(runs.flatMap(({ truth }) => truth.outcome ?? []))).toEqual(all(outcomes));
  const words = runs.flatMap(({ truth }) => [truth.work, truth.tool]);
  expect(all(words)).toEqual(all(Object.keys(stepMarks)));
  expect(all(allSessions(matrix).map(({ status }) => status))).toEqual(all(sessionStatuses));
  expect(all(plans.map(({ truth }) => truth.phase))).toEqual(all(planPhases));
  const tasks = plans.flatMap(({ truth }) => [...trueTasks(truth).values()]);
  expect(all(tasks)).toEqual(all(taskStatuses));
  for (const cells of [runs, matrix.sessions, plans])
    expect(all(cells.map(({ holder }) => holder))).toEqual(all(holderStates));
});

test.each(Object.entries(rows))('tutti %s tells the truth in every cell', async (words, row) => {
  expect(await findLies(matrix, words, row)).toEqual([]);
});

test('no look changed a row', () => {
  expect(rowsOf(matrix.project.path)).toEqual(before);
});
