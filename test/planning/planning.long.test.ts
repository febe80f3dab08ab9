import { changeTask } from '../../src/app/plan-record/change-plan.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentAddress } from '../../src/lib/digest.ts';
import { resumeRun } from '../../src/app/runs/control.ts';
import { startTask } from '../../src/model/plan/work-on-task.ts';
import { PlannerProject, specification } from './project.ts';

const phases = ['logical', 'physical', 'definition', 'validation', 'sequencing'];

test('from a specification to an approved plan: every phase once, everything written, recorded and said', async () => {
  using project = new PlannerProject();
  const first = await project.plan();
  expect(first).toEqual({ outcome: 'HUMAN_INPUT', ran: phases });
  const [question] = await project.questions();
  expect(question?.question).toMatchObject({ step: 'approval', options: ['approve', 'edit', 'refuse'] });
  expect(question?.question.text).toContain('3 tasks in 2 phases');
  expect(await project.record).toMatchObject({
    phase: 'ready',
    approval: null,
    verdict: { verdict: 'READY' },
  });
  expect(await project.answer('approve')).toEqual({ outcome: 'SUCCESS', ran: [] });
  expect(await project.record).toMatchObject({ phase: 'ready', approval: { said: 'approved', by: 'ann' } });
  expect((await project.record).approval?.tasks).toBe((await project.record).checked.tasks);
  expect((await project.record).specChecksum).toBe(contentAddress(specification));
  expect(await project.value).toMatchObject({
    at: 'planned',
    summary: { tasks: 3, phases: 2, changes: null },
  });
  expect(project.read('inputs/spec.md')).toBe(specification);
  expect(project.read('reports/task-validation-report.md')).toContain('READY it is');
  expect(JSON.parse(project.read('tasks/T003.json'))).toMatchObject({ phase: 3 });
  expect(JSON.parse(project.read('state.json'))).toMatchObject({ phase: 'ready' });
  expect(project.read('activity.log')).toContain('capability_map - PASSED');
  expect(project.read('activity.log')).toContain('spawn: launching logic-architect for logical (session ');
  expect(project.read('activity.log')).toContain('[INFO] [logic-architect] end: logical: SUCCESS (session ');
  expect((await project.tutti.queries.plans.tasks('numerals')).map(({ task }) => task.id)).toEqual([
    'T001',
    'T002',
    'T003',
  ]);
});

test('every planner gets its places and what the project is, and no order to call Tutti', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  for (const phase of phases) {
    const prompt = project.prompt(phase);
    expect(prompt).toContain(`PLANNING_DIR: ${project.paths.dir}`);
    if (phase !== 'sequencing') expect(prompt).toContain('New project - no existing patterns to follow');
    expect(prompt).not.toMatch(/\btutti (log|plan)\b|sha256sum/);
  }
  expect(project.prompt('physical')).toContain('Tech Stack: plain JavaScript');
  expect(project.prompt('logical')).not.toContain('This was planned before');
});

test('approved in advance, nobody is asked', async () => {
  using project = new PlannerProject();
  expect((await project.plan({ yes: true })).outcome).toBe('SUCCESS');
  expect((await project.record).approval).toMatchObject({ said: 'approved', reason: 'in advance' });
});

test('an approval in advance is over when its command was interrupted and the plan is resumed', async () => {
  using project = new PlannerProject();
  project.mood(['validation', 'block']);
  expect((await project.plan({ yes: true })).outcome).toBe('HUMAN_INPUT');
  expect(await resumeRun(project.tutti, 'numerals-plan', [])).toMatchObject({ value: { how: 'running' } });
  expect((await project.answer('accept')).outcome).toBe('HUMAN_INPUT');
  expect((await project.questions()).map(({ question }) => question.step)).toEqual(['approval']);
  expect((await project.record).approval).toBeNull();
  // Control: the same command again approves what is there now.
  expect((await project.plan({ yes: true })).outcome).toBe('SUCCESS');
  expect((await project.record).approval).toMatchObject({ said: 'approved', reason: 'in advance' });
});

test('an output that is missing: one new session with the explicit reminder', async () => {
  using project = new PlannerProject();
  project.mood(['logical', 'forget']);
  const { outcome, ran } = await project.plan({ yes: true });
  expect(outcome).toBe('SUCCESS');
  expect(ran).toEqual(['logical', 'logical/heal-1', ...phases.slice(1)]);
  const reminder = project.prompt('logical/heal-1');
  expect(reminder).toContain(
    `save to the absolute path ${project.paths.capabilityMap}. JSON in your answer does not count.`,
  );
  const turns = (await project.tutti.queries.sessions.ofRun('numerals-plan')).slice(0, 2);
  expect(turns.map(({ continues }) => continues)).toEqual([null, null]);
});

test('missing twice is enough: no third session, and a person must look', async () => {
  using project = new PlannerProject();
  project.mood(['definition', 'forget'], ['definition/heal-1', 'forget']);
  const { outcome, ran } = await project.plan({ yes: true });
  expect(outcome).toBe('NEEDS_ESCALATION');
  expect(ran).toEqual(['logical', 'physical', 'definition', 'definition/heal-1']);
  expect((await project.record).phase).toBe('definition');
  expect(await project.value).toMatchObject({ at: 'failed', step: 'definition' });
});

test('an artifact that is wrong: its agent gets what the validator said, and goes on in its conversation', async () => {
  using project = new PlannerProject();
  project.mood(['logical', 'stale'], ['definition', 'drop'], ['validation', 'spoil']);
  const { outcome, ran } = await project.plan({ yes: true });
  expect(outcome).toBe('SUCCESS');
  expect(ran).toEqual([
    'logical',
    'logical/heal-1',
    'physical',
    'definition',
    'definition/heal-1',
    'validation',
    'validation/heal-1',
    'sequencing',
  ]);
  expect(project.prompt('logical/heal-1')).toContain('spec_checksum: is not the SHA-256 of inputs/spec.md');
  expect(project.prompt('definition/heal-1')).toContain('no task has behavior B2');
  expect(project.prompt('validation/heal-1')).toContain('is not JSON');
});

test('the auditor may change phases only: what else it changed is shown to it as it was, and put back', async () => {
  using project = new PlannerProject();
  project.mood(['sequencing', 'meddle']);
  const { outcome, ran } = await project.plan({ yes: true });
  expect(ran.slice(4)).toEqual(['sequencing', 'sequencing/heal-1']);
  expect(outcome).toBe('SUCCESS');
  expect(project.prompt('sequencing/heal-1')).toContain(
    'tasks/T001.json: was changed after the tasks were verified: only "phase" may be changed here',
  );
  expect(JSON.parse(project.read('tasks/T001.json'))).toMatchObject({ name: 'parse', phase: 2 });
});

test('an auditor that will not put it back ends the plan in its phase', async () => {
  using project = new PlannerProject();
  project.mood(['sequencing', 'meddle'], ['sequencing/heal-1', 'deaf']);
  expect((await project.plan({ yes: true })).outcome).toBe('NEEDS_ESCALATION');
  expect((await project.record).phase).toBe('sequencing');
  // What it left in the files is no plan that anybody approved.
  expect((await project.record).approval).toBeNull();
});

test('BLOCKED is a question; mended tasks are verified again, and only then does the plan go on', async () => {
  using project = new PlannerProject();
  project.mood(['validation', 'block']);
  const blocked = await project.plan({ yes: true });
  expect(blocked).toEqual({ outcome: 'HUMAN_INPUT', ran: phases.slice(0, 4) });
  const [asked] = await project.questions();
  expect(asked?.question.text).toContain('BLOCKED it is');
  expect(asked?.question.text).toContain(project.paths.report);
  expect(asked?.question.options).toEqual(['verify again', 'accept', 'abort']);
  expect(await project.record).toMatchObject({ phase: 'validation', verdict: { verdict: 'BLOCKED' } });
  project.mood();
  project.editTask('T001', '"name": "parse"', '"name": "parse well"');
  // It was approved in advance as the agents wrote it, and is asked about as it was edited.
  const again = await project.answer('verify again');
  expect(again).toEqual({ outcome: 'HUMAN_INPUT', ran: ['validation', 'sequencing'] });
  expect(await project.answer('approve')).toEqual({ outcome: 'SUCCESS', ran: [] });
  expect(await project.record).toMatchObject({ phase: 'ready', verdict: { verdict: 'READY' } });
  // Nothing of it is done again, although it was done in another order than a first planning would.
  expect(await project.plan({ yes: true })).toEqual({ outcome: 'SUCCESS', ran: [] });
});

test('tasks that a person mended wrongly are told, and asked about again', async () => {
  using project = new PlannerProject();
  project.mood(['validation', 'block']);
  await project.plan({ yes: true });
  project.mood();
  project.editTask('T002', '"B2"', '"B9"');
  expect(await project.answer('verify again')).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  expect((await project.questions())[0]?.question.text).toContain('B9 is no behavior');
  project.editTask('T002', '"B9"', '"B2"');
  expect(await project.answer('verify again')).toEqual({
    outcome: 'SUCCESS',
    ran: ['validation/again-1', 'sequencing'],
  });
});

test('a person may accept what is blocked, or give up', async () => {
  using project = new PlannerProject();
  project.mood(['validation', 'block']);
  await project.plan({ yes: true });
  expect(await project.answer('accept')).toEqual({ outcome: 'SUCCESS', ran: ['sequencing'] });
  expect((await project.record).verdict).toMatchObject({
    verdict: 'READY_WITH_NOTES',
    summary: 'accepted by ann: BLOCKED it is',
  });
  using other = new PlannerProject();
  other.mood(['validation', 'block']);
  await other.plan({ yes: true });
  expect((await other.answer('abort')).outcome).toBe('NEEDS_REFINEMENT');
  expect((await other.record).phase).toBe('validation');
});

test('refused: the plan says so and why, and planning again asks again', async () => {
  using project = new PlannerProject();
  await project.plan();
  expect(await project.answer('refuse: too large')).toEqual({ outcome: 'FAILURE', ran: [] });
  expect(await project.value).toMatchObject({ at: 'refused', by: 'ann', reason: 'too large' });
  expect((await project.record).approval).toMatchObject({ said: 'refused', reason: 'too large' });
  expect(await project.plan()).toEqual({ outcome: 'HUMAN_INPUT', ran: ['definition', 'validation'] });
  expect(await project.answer('approve')).toEqual({ outcome: 'SUCCESS', ran: [] });
});

test('edited instead of approved: the changed task is verified and shown again', async () => {
  using project = new PlannerProject();
  await project.plan();
  const shown = (await project.record).checked.tasks;
  project.editTask('T003', 'estimate_hours": 2', 'estimate_hours": 9');
  project.editTask('T003', '"name": "table"', '"name": "tables"');
  expect(await project.answer('edit')).toEqual({ outcome: 'HUMAN_INPUT', ran: ['validation'] });
  expect((await project.record).checked.tasks).not.toBe(shown);
  expect(await project.answer('approve')).toEqual({ outcome: 'SUCCESS', ran: [] });
  expect((await project.tutti.queries.plans.task('numerals', 'T003'))?.task).toMatchObject({
    name: 'tables',
    phase: 3,
  });
});

test('what a person edits while the verifier works is verified, and asked about in spite of --yes', async () => {
  using project = new PlannerProject();
  project.mood(['validation', 'edited']);
  const { outcome, ran } = await project.plan({ yes: true });
  expect({ outcome, ran: ran.slice(-3) }).toEqual({
    outcome: 'HUMAN_INPUT',
    ran: ['validation', 'validation', 'sequencing'],
  });
  expect(project.prompt('sequencing')).not.toContain('put it back');
  expect(await project.answer('approve')).toEqual({ outcome: 'SUCCESS', ran: [] });
  expect((await project.tutti.queries.plans.task('numerals', 'T003'))?.task.name).toBe('tables');
  expect(await project.plan({ yes: true })).toEqual({ outcome: 'SUCCESS', ran: [] });
});

test('what a person breaks while the verifier works is told to the person, and to no agent', async () => {
  using project = new PlannerProject();
  project.mood(['validation', 'misedited']);
  const { outcome, ran } = await project.plan({ yes: true });
  expect({ outcome, last: ran.at(-1) }).toEqual({ outcome: 'HUMAN_INPUT', last: 'validation' });
  expect((await project.questions())[0]?.question.text).toContain('the edited tasks are not valid');
  project.mood();
  project.editTask('T003', '"B1"', '"B3"');
  expect(await project.answer('edited')).toEqual({ outcome: 'SUCCESS', ran: ['sequencing'] });
});

test('an edit that is not valid is told; nothing is approved meanwhile', async () => {
  using project = new PlannerProject();
  await project.plan();
  project.editTask('T003', '"B3"', '"B1"');
  expect(await project.answer('edit')).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  expect((await project.questions())[0]?.question.text).toContain('the edited tasks are not valid');
  project.editTask('T003', '"B1"', '"B3"');
  expect(await project.answer('edited')).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  // Said without having edited anything: shown once more.
  expect(await project.answer('edit')).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  expect(await project.answer('edit')).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  expect(await project.answer('approve')).toEqual({ outcome: 'SUCCESS', ran: [] });
});

test('an existing project: what was found of it reaches every agent that needs it, and its own tests must be run', async () => {
  using project = new PlannerProject();
  const target = join(project.path, 'target');
  writeFileSync(
    join(target, 'package.json'),
    '{"scripts":{"test":"node --test"},"dependencies":{"left-pad":"1"}}',
  );
  project.mood(['definition', 'alone']);
  const { outcome, ran } = await project.plan({ projectType: null, yes: true });
  expect(outcome).toBe('SUCCESS');
  expect((await project.record).projectType).toBe('existing');
  for (const phase of phases.slice(0, -1)) {
    expect(project.prompt(phase)).toContain('Project Type: existing\nStack: Node.js (package.json)');
    expect(project.prompt(phase)).toContain('"left-pad": "1"');
  }
  expect(ran).toContain('definition/heal-1');
  expect(project.prompt('definition/heal-1')).toContain(
    "no acceptance criterion runs the project's own `npm test`",
  );
  // What the plan builds must not become a reason to plan it again.
  writeFileSync(join(target, 'new.js'), 'export {};\n');
  expect(await project.plan({ projectType: null, yes: true })).toEqual({ outcome: 'SUCCESS', ran: [] });
});

test('a plan with tasks at work is not planned again', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  await changeTask(project.tutti, 'numerals', 'T001', ({ state }) =>
    startTask(state, { by: 'somebody', since: 1, snapshot: null }),
  );
  const { outcome, ran } = await project.plan({ yes: true });
  expect(outcome).toBe('plan numerals has 1 task at work, and cannot be planned again now');
  expect(ran).toEqual([]);
});

test('two tasks that own one file get an order, and the plan says so', async () => {
  using project = new PlannerProject();
  writeFileSync(join(project.path, 'target', 'package.json'), '{}');
  project.mood(['definition', 'share']);
  expect((await project.plan({ projectType: 'existing', yes: true })).outcome).toBe('SUCCESS');
  expect(await project.value).toMatchObject({
    summary: {
      serialised: [{ before: 'T002', after: 'T003', file: 'package.json' }],
      said: 'T003 waits for T002: both own package.json',
    },
  });
});
