import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planPathsOf } from '../../src/app/plan-files/plan-paths.ts';
import { writePlanViews } from '../../src/app/plans/plan-views.ts';
import { planCheckpointForm, planStateForm } from '../../src/model/schemas/plan-faces.ts';
import { type PlanCell, playPlans } from './matrix/plan-cells.ts';
import { trueTasks } from './matrix/plan-rows.ts';
import { MatrixProject } from './matrix/project.ts';
import { playRuns, type RunCell } from './matrix/run-cells.ts';

let project: MatrixProject;
let plans: readonly PlanCell[];
let runs: readonly RunCell[];

beforeAll(async () => {
  project = new MatrixProject();
  runs = await playRuns(project);
  plans = await playPlans(project);
});

afterAll(() => {
  project[Symbol.dispose]();
});

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

test('the files of a plan say of every task what is true in every cell', async () => {
  const { tutti } = project;
  for (const { id, scene, holder, truth } of plans) {
    const where = `${scene}, holder ${holder}`;
    expect(await writePlanViews(tutti, id), where).toEqual([]);
    const paths = planPathsOf(tutti.paths, id);
    const state = planStateForm.parse(read(paths.state));
    const words = [...trueTasks(truth)];
    const plain = words.map(([task, word]) => [
      task,
      ['ready', 'waiting', 'blocked'].includes(word) ? 'pending' : word,
    ]);
    const shown = Object.entries(state.tasks).map(([task, { status }]) => [task, status]);
    expect(shown, where).toEqual(plain);
    const count = (wanted: string): number => words.filter(([, word]) => word === wanted).length;
    const { running, parked, done } = state.execution;
    expect([running, parked, done], where).toEqual([count('running'), count('parked'), count('done')]);
    if ((await tutti.queries.plans.one(id))?.checkpoint === null) continue;
    const mark = planCheckpointForm.parse(read(paths.checkpoint)).tasks['T001'];
    expect(mark === 'running', where).toBe(truth.first === 'running');
  }
});

test('the files of a run say what is true in every cell', async () => {
  const views = project.tutti.views();
  for (const { id, scene, holder, truth, sessionId } of runs) {
    const where = `${scene}, holder ${holder}`;
    expect(await views.update(id), where).toEqual([]);
    const folder = project.tutti.paths.run(id);
    expect(read(join(folder, 'state.json')), where).toMatchObject({
      state: truth.state,
      outcome: truth.outcome,
      steps: [{ state: truth.work }, { state: truth.tool }],
    });
    const report = readFileSync(join(folder, 'execution-report.md'), 'utf8');
    const line = report.split('\n').find((each) => each.startsWith(`| ${sessionId} |`));
    expect(line?.split(' | ')[5], where).toBe(truth.session?.status);
  }
});

test('the files of a plan are written again when its run is stopped', async () => {
  const cell = plans.find(({ scene, holder }) => scene === 'a run has begun a task' && holder === 'dead');
  if (cell?.run === undefined || cell.run === null) throw new Error('there is no such cell');
  const { state } = planPathsOf(project.tutti.paths, cell.id);
  const { out, err, code } = await project.cli(false, 'stop', cell.run.id);
  expect(code, `${out}${err}`).toBe(0);
  const task = planStateForm.parse(read(state)).tasks['T001'];
  expect(task).toMatchObject({ status: 'parked', reason: expect.stringContaining('INTERRUPTED') });
});
