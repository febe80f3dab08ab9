import { expect, test } from 'vitest';
import { refuseUneditable, takeTaskFiles } from '../../src/app/plans/edit-plan.ts';
import { endedHint } from '../../src/cli/render/run-hint.ts';
import { runStatus } from '../../src/app/status/run-status.ts';
import { outlinesByName } from '../../src/model/outline.ts';
import { PlannerProject } from './project.ts';

test.each(['taken', 'not taken'])(
  'tasks that a person fixed after their author failed twice are %s, and no author starts',
  async (how) => {
    using project = new PlannerProject();
    project.mood(['definition', 'drop'], ['definition/heal-1', 'drop']);
    expect((await project.plan()).outcome).toBe('NEEDS_ESCALATION');
    const status = await runStatus(project.tutti, outlinesByName, 'numerals-plan');
    if (status === null) throw new Error('there is no run');
    expect(endedHint(status, 'NEEDS_ESCALATION')).toContain(
      'fix the tasks yourself: tutti plan edit --plan numerals && tutti plan --plan numerals; or ',
    );
    // Never loaded, but there as files.
    expect(await refuseUneditable(project.tutti, await project.found, ['T002'])).toBeNull();
    expect(await refuseUneditable(project.tutti, await project.found, ['T009'])).not.toBeNull();
    project.editTask('T002', '"behaviors": []', '"behaviors": ["B2"]');
    project.editTask('T003', '"behaviors": []', '"behaviors": ["B3"]');
    if (how === 'taken')
      expect(await takeTaskFiles(project.tutti, await project.found)).toMatchObject({ ok: true });
    expect((await project.plan()).ran).toEqual(['validation', 'sequencing']);
    expect((await project.questions()).map(({ question }) => question.step)).toEqual(['approval']);
  },
);

test('tasks that a person has not edited are made again by their author', async () => {
  using project = new PlannerProject();
  project.mood(['definition', 'drop'], ['definition/heal-1', 'drop']);
  await project.plan();
  project.mood();
  expect((await project.plan()).ran).toEqual(['definition', 'validation', 'sequencing']);
});
