import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findPlan } from '../../src/app/plans/find-plan.ts';
import { planOutlook } from '../../src/app/plans/outlook.ts';
import { resumeRun } from '../../src/app/runs/control.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import type { PlanTask } from '../../src/model/plan/plan-task.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { approve, cheap, ExecuteProject, plan, type Played, runId } from './project.ts';

const slow = { timeout: hangLimitMs };

/** The second task needs the first. */
function twoTasks(): ExecuteProject {
  return new ExecuteProject(cheap(goodPlan({ tasks: 2 })));
}

function fileOf(project: ExecuteProject, id: string): string {
  return join(project.path, '.tutti', 'plans', plan, 'tasks', `${id}.json`);
}

/** Executes the plan, and edits something while the first task is at work. */
async function editDuringFirst(
  project: ExecuteProject,
  tutti: Tutti,
  edit: (project: ExecuteProject) => void,
): Promise<Played> {
  project.rules({ T001: { touch: 'at-work', waitFor: 'go' } });
  const playing = project.playIn(tutti);
  while (!existsSync(join(project.path, 'at-work'))) await pause(10);
  edit(project);
  project.write('go', '');
  return playing;
}

const otherCriterion = (task: PlanTask): PlanTask => ({
  ...task,
  acceptance_criteria: task.files.slice(-1).map(({ path }) => ({
    criterion: `${task.id} shows what it keeps`,
    verification: `grep -q show ${path}`,
  })),
});

const edits: readonly (readonly [string, (project: ExecuteProject) => void])[] = [
  ['edited', (project) => project.editTask('T002', otherCriterion)],
  ['removed', (project) => rmSync(fileOf(project, 'T002'))],
  ['broken', (project) => writeFileSync(fileOf(project, 'T002'), '{')],
];

test.each(edits)(
  'a task whose file was %s while its plan is executed is not begun',
  slow,
  async (_how, edit) => {
    using project = twoTasks();
    using tutti = project.open();
    const ended = await editDuringFirst(project, tutti, edit);
    expect(ended).toEqual({ outcome: 'FAILURE', ran: ['T001', 'T001/verify'] });
    expect((await tutti.queries.plans.task(plan, 'T002'))?.state).toEqual({ at: 'pending' });
    const state = (await tutti.queries.run(runId))?.state;
    const message = expect.stringMatching(/^T002: .*have the edits verified: tutti plan --plan records$/);
    expect(state).toMatchObject({ at: 'ended', failure: { message } });
    expect(await resumeRun(tutti, runId, [])).toMatchObject({ ok: false, error: { outcome: 'FAILURE' } });
    // The control: without the edit, the same run begins it.
    project.editTask('T002', (task) => task);
    expect(await resumeRun(tutti, runId, [])).toMatchObject({ ok: true });
    expect(await project.advance(tutti)).toEqual({ outcome: 'SUCCESS', ran: ['T002', 'T002/verify'] });
  },
);

test(
  'an edit that was loaded and approved while its plan is executed is run by the next execute only',
  slow,
  async () => {
    using project = twoTasks();
    using tutti = project.open();
    using other = project.open();
    const loaded: Promise<void>[] = [];
    const ended = await editDuringFirst(project, tutti, () => {
      project.editTask('T002', (task) => ({ ...task, name: 'Other work' }));
      loaded.push(approve(other));
    });
    await Promise.all(loaded);
    expect(ended.outcome).toBe('FAILURE');
    expect(ended.ran).not.toContain('T002');
    expect(await resumeRun(tutti, runId, [])).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('changed T002') },
    });
    expect(await project.playIn(tutti)).toEqual({ outcome: 'SUCCESS', ran: ['T002', 'T002/verify'] });
    expect(await tutti.queries.plans.task(plan, 'T002')).toMatchObject({
      task: { name: 'Other work' },
      state: { at: 'done' },
    });
  },
);

test(
  'a task that is edited while it is worked on is judged by the definition that it began with',
  slow,
  async () => {
    using project = twoTasks();
    using tutti = project.open();
    const before = project.documents.tasks[0]?.acceptance_criteria[0];
    const ended = await editDuringFirst(project, tutti, () => project.editTask('T001', otherCriterion));
    expect(ended.outcome).toBe('SUCCESS');
    const row = await tutti.queries.plans.task(plan, 'T001');
    expect(row?.task.acceptance_criteria).toEqual([before]);
    expect(row?.state).toMatchObject({ verification: { criteria: [{ name: before?.criterion }] } });
    // What became of the old definition is not shown for the one in the file.
    const found = await findPlan(tutti, plan);
    const outlook = found.ok ? await planOutlook(tutti, found.value) : found;
    const shown = outlook.ok ? outlook.value.tasks.map(({ task, at }) => [task.id, at]) : outlook;
    expect(shown).toEqual([
      ['T001', 'pending'],
      ['T002', 'done'],
    ]);
    expect((await project.playIn(tutti)).outcome).toContain('changed T001');
  },
);
