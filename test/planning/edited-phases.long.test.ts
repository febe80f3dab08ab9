import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plain, recorded } from '../../src/lib/json.ts';
import type { PlanTask } from '../../src/model/plan/plan-task.ts';
import { chainedPlanner } from '../replanning/played-planner.ts';
import { PlannerProject } from './project.ts';

/* B1 and B2 are the steel thread, which is built in phase 2; the auditor gives every other task phase 3. */

function phase(project: PlannerProject, id: string): number {
  return (JSON.parse(project.read(`tasks/${id}.json`)) as PlanTask).phase;
}

async function asked(project: PlannerProject): Promise<string> {
  return (await project.questions())[0]?.question.text ?? '';
}

/** The bug: what a person chose is nothing special, and nobody is asked about it. */
async function forgetChoices({ tutti }: PlannerProject): Promise<void> {
  const host = await tutti.host();
  const launch = host.launch.bind(host);
  host.launch = (attempt, began) => {
    const spec = recorded<{ readonly name?: string; readonly args?: object }>(attempt.spec);
    if (spec.name !== 'plan-phases-contested' && spec.name !== 'plan-edits-settle')
      return launch(attempt, began);
    return launch({ ...attempt, spec: plain({ ...spec, args: { ...spec.args, chosen: {} } }) }, began);
  };
  tutti.host = () => Promise.resolve(host);
}

test('a phase that does not fit is a question to the person who chose it, and other chosen phases stay', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.editTask('T003', '"phase": 3', '"phase": 7');
  project.editTask('T002', '"phase": 2', '"phase": 3');
  expect(await project.plan({ yes: true })).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  expect(await asked(project)).toContain('the phase that you gave T002 does not fit: tasks/T002.json');
  expect(await asked(project)).toContain('the steel thread is built in phase 2');
  expect(await project.answer('auditor')).toEqual({ outcome: 'SUCCESS', ran: ['sequencing/heal-1'] });
  expect([phase(project, 'T002'), phase(project, 'T003')]).toEqual([2, 7]);
});

test('control: an auditor that does not know what a person chose moves the task unasked', async () => {
  using project = new PlannerProject();
  await forgetChoices(project);
  await project.plan({ yes: true });
  project.editTask('T002', '"phase": 2', '"phase": 3');
  expect(await project.plan({ yes: true })).toEqual({ outcome: 'SUCCESS', ran: ['sequencing/heal-1'] });
  expect(phase(project, 'T002')).toBe(2);
});

test('a person changes a phase that does not fit, or gives up with the files as they are', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.editTask('T002', '"phase": 2', '"phase": 3');
  const mine = project.read('tasks/T002.json');
  await project.plan({ yes: true });
  expect(await project.answer('edited')).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  expect(await project.answer('abort')).toEqual({ outcome: 'NEEDS_ESCALATION', ran: [] });
  expect(project.read('tasks/T002.json')).toBe(mine);
  // What failed is tried again: the auditor looks once more, and may still not decide.
  expect(await project.plan({ yes: true })).toEqual({ outcome: 'HUMAN_INPUT', ran: ['sequencing'] });
  expect(project.read('tasks/T002.json')).toBe(mine);
  project.editTask('T002', '"phase": 3', '"phase": 1');
  project.editTask('T001', '"phase": 2', '"phase": 1');
  expect(await project.answer('edited')).toEqual({ outcome: 'SUCCESS', ran: [] });
  expect(['T001', 'T002'].map((id) => phase(project, id))).toEqual([1, 1]);
});

test('edits that a person makes while a phase is asked about are known when planning is started instead', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.editTask('T002', '"phase": 2', '"phase": 3');
  await project.plan({ yes: true });
  project.editTask('T002', '"phase": 3', '"phase": 2');
  project.editTask('T003', '"criterion": "All', '"criterion": "Slowly all');
  const mine = project.read('tasks/T003.json');
  project.edit('prints a table', 'prints a long table');
  expect((await project.plan({ yes: true })).outcome).toBe('HUMAN_INPUT');
  // The question about the phase was about files of an earlier round.
  const [newer, ...older] = await project.questions();
  expect(older).toEqual([]);
  expect(newer?.question.text).toContain('changed T003, and you had edited it');
  await project.tutti.store.answer('numerals-plan', newer?.key ?? '', {
    text: 'keep mine',
    by: 'ann',
    at: 7,
  });
  expect((await project.advance()).outcome).toBe('SUCCESS');
  expect(project.read('tasks/T003.json')).toBe(mine);
});

test('a task whose phase a person chose is theirs: planning again asks before an author changes it', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.editTask('T003', '"phase": 3', '"phase": 7');
  const mine = project.read('tasks/T003.json');
  await project.plan({ yes: true });
  project.mood(['definition', 'rephase']);
  project.edit('prints a table', 'prints a long table');
  expect((await project.plan({ yes: true })).outcome).toBe('HUMAN_INPUT');
  expect(project.prompt('definition')).toContain('edited, added or removed these tasks: T003.');
  expect(await asked(project)).toContain('changed T003, and you had edited it');
  expect((await project.answer('keep mine')).outcome).toBe('SUCCESS');
  expect(project.read('tasks/T003.json')).toBe(mine);

  project.edit('prints a long table', 'prints a short table');
  await project.plan({ yes: true });
  expect((await project.answer('take the new one')).outcome).toBe('SUCCESS');
  expect(project.read('tasks/T003.json')).toContain('prints a short table');
  project.edit('prints a short table', 'prints a table');
  expect((await project.plan({ yes: true })).outcome).toBe('SUCCESS');
});

test('phases that a person edits instead of approving are kept, asked about, and remembered', async () => {
  using project = new PlannerProject();
  await project.plan();
  project.editTask('T003', '"phase": 3', '"phase": 7');
  project.editTask('T002', '"phase": 2', '"phase": 3');
  expect(await project.answer('edit')).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  expect(await asked(project)).toContain('the phase that you gave T002 does not fit');
  expect(await project.answer('auditor')).toEqual({ outcome: 'HUMAN_INPUT', ran: ['sequencing/again-1'] });
  expect(await asked(project)).toContain('Approve plan numerals');
  expect([phase(project, 'T002'), phase(project, 'T003')]).toEqual([2, 7]);
  expect((await project.answer('approve')).outcome).toBe('SUCCESS');
  project.edit('prints a table', 'prints a long table');
  expect((await project.plan({ yes: true })).outcome).toBe('HUMAN_INPUT');
  expect(await asked(project)).toContain('changed T003, and you had edited it');
});

test('a phase that a person chose together with other dependencies is kept from the auditor', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.editTask('T003', '"phase": 3', '"phase": 7');
  project.editTask('T003', '"T001"', '"T002"');
  const mine = project.read('tasks/T003.json');
  const { outcome, ran } = await project.plan({ yes: true });
  expect([outcome, ran]).toEqual(['SUCCESS', ['validation', 'sequencing']]);
  expect(project.read('tasks/T003.json')).toBe(mine);
});

test('a new task follows a task that it needs into the phase that a person chose', async () => {
  using project = new PlannerProject((folder) => {
    writeFileSync(join(folder, 'planner.mjs'), chainedPlanner);
  });
  await project.plan({ yes: true });
  project.editTask('T003', '"phase": 3', '"phase": 7');
  project.edit('the first hundred', 'the first hundred\n- B4 clock: prints the hour');
  const { outcome, ran } = await project.plan({ yes: true });
  expect([outcome, ran.at(-1)]).toEqual(['SUCCESS', 'sequencing']);
  expect([phase(project, 'T003'), phase(project, 'T004')]).toEqual([7, 7]);
});
