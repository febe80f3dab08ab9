import { expect, test } from 'vitest';
import { changedTaskFiles } from '../../src/app/plans/changed-tasks.ts';
import { prepareExecute } from '../../src/app/plans/executing/prepare-execute.ts';
import { planOutlook } from '../../src/app/plans/outlook.ts';
import { planStatus } from '../../src/app/plans/agent-led/plan-status.ts';
import { planStatusJson } from '../../src/app/plans/agent-led/plan-status-json.ts';
import { outlookJson, outlookLines } from '../../src/cli/render/plan-outlook.ts';
import { planStatusLines } from '../../src/cli/render/plan-status.ts';
import { painter } from '../../src/cli/render/style.ts';
import { PlannerProject } from './project.ts';

const screen = { colour: false };

/** As `tutti plan show` and `tutti plan status` print it. */
async function shown(project: PlannerProject) {
  const { tutti } = project;
  const found = await project.found;
  const outlook = await planOutlook(tutti, found);
  if (!outlook.ok) throw new Error(outlook.error.message);
  // Text and JSON are made from one look, so that they cannot name different commands.
  const status = await planStatus(tutti, found.plan, { changed: await changedTaskFiles(tutti, found) });
  const [command] = planStatusLines({ screen }, status).slice(-1);
  expect([command, planStatusJson(status)]).toMatchObject([`  → ${status.next}`, { next: status.next }]);
  return {
    show: outlookLines(outlook.value, painter(false), 200).filter((line) => line.startsWith('approval')),
    showJson: outlookJson(outlook.value),
    status: planStatusLines({ screen }, status).filter((line) => /^ +approval/.test(line)),
    statusJson: planStatusJson(status),
    next: status.next,
  };
}

test('plan show and plan status say whether the tasks are approved, and name the next command', async () => {
  using project = new PlannerProject();
  await project.plan();
  expect(await shown(project)).toMatchObject({
    show: ['approval      not approved yet'],
    showJson: { approval: null },
    status: [],
    next: 'tutti plan approve --plan numerals',
  });
  const [question] = await project.questions();
  await project.tutti.store.answer('numerals-plan', question?.key ?? '', {
    text: 'approve',
    by: 'ann',
    at: 7,
  });
  // Straight after `tutti answer`, before any process has recorded the approval.
  expect((await shown(project)).next).toBe('tutti resume numerals-plan');
  expect((await project.advance()).outcome).toBe('SUCCESS');
  expect(await shown(project)).toMatchObject({
    show: ['approval      approved by ann'],
    showJson: { approval: 'approved' },
    status: ['  approval    approved by ann'],
    statusJson: { approval: { current: true }, verdict: { current: true } },
    next: 'tutti execute --plan numerals',
  });
});

test('a task file that changed after its approval is named, without a word about who changed it', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.editTask('T002', '"name": "format"', '"name": "format well"');
  const { by } = (await project.record).approval ?? { by: '' };
  const said = `approved by ${by}, for tasks that have changed since: changed T002`;
  expect(await shown(project)).toMatchObject({
    show: [`approval      ${said}`],
    showJson: { approval: null },
    status: [`  approval    ${said}`],
    statusJson: { approval: { current: false }, verdict: { current: false } },
    next: 'tutti plan --plan numerals',
  });
  const request = { parallel: 3, tasks: null, undeclared: null, verify: true, budget: {} };
  expect(await prepareExecute(project.tutti, await project.found, request)).toMatchObject({
    error: {
      message:
        'the plan is in phase validation, not ready: its task files are not what was approved: changed T002',
      hint: 'continue: tutti plan --plan numerals',
    },
  });
});

test('a task file that cannot be read is named', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.editTask('T002', '"name": "format"', '"name": 2');
  expect(await changedTaskFiles(project.tutti, await project.found)).toContain('tasks/T002.json');
});
