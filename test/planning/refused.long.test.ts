import { expect, test } from 'vitest';
import { ok } from '../../src/lib/result.ts';
import { changeTask } from '../../src/app/plan-record/change-plan.ts';
import { prepareExecute } from '../../src/app/plans/executing/prepare-execute.ts';
import { decidePlan } from '../../src/app/plans/agent-led/decide-plan.ts';
import { retryTask } from '../../src/app/plans/agent-led/reopen-task.ts';
import { planStatus } from '../../src/app/plans/agent-led/plan-status.ts';
import { firstHint } from '../../src/app/recovery/lost-plan.ts';
import { runStatus } from '../../src/app/status/run-status.ts';
import { outlinesByName } from '../../src/model/outline.ts';
import { PlannerProject } from './project.ts';

const reason = 'name T003 tables';
const again = 'tutti plan --plan numerals';

/** A plan that a person refused. */
async function refused(answer = `refuse ${reason}`): Promise<PlannerProject> {
  const project = new PlannerProject();
  await project.plan();
  expect(await project.answer(answer)).toEqual({ outcome: 'FAILURE', ran: [] });
  return project;
}

test('a reason for refusal reaches the author and the verifier, and only they work again', async () => {
  using project = await refused();
  const [first, prompt] = [project.read('tasks/T001.json'), project.prompt('definition')];
  expect(prompt).not.toContain('Refusal');
  expect(await project.plan()).toEqual({ outcome: 'HUMAN_INPUT', ran: ['definition', 'validation'] });
  for (const step of ['definition', 'validation']) expect(project.prompt(step)).toContain(`\n1. ${reason}\n`);
  expect(project.read('tasks/T003.json')).toContain('"name": "tables"');
  expect(project.read('tasks/T001.json')).toBe(first);
  expect((await project.record).phase).toBe('ready');
  // The reason was taken up, and is no reason to do it once more.
  expect(await project.plan()).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  expect(await project.answer('approve')).toEqual({ outcome: 'SUCCESS', ran: [] });
  expect(await project.value).toMatchObject({
    summary: { said: 'no behaviors changed; tasks: changed T003' },
  });
  expect(await project.plan()).toEqual({ outcome: 'SUCCESS', ran: [] });
});

test('a reason for refusal stays with the plan when the specification changes, and further reasons join it', async () => {
  using project = await refused();
  project.edit('writes roman numerals', 'writes them in capital letters');
  const { ran } = await project.plan();
  expect(ran).toEqual(['logical', 'physical', 'definition', 'validation']);
  expect(project.prompt('definition')).toContain(`\n1. ${reason}\n`);
  expect(project.prompt('logical')).not.toContain(reason);
  await project.answer('refuse split T001');
  expect((await project.plan()).ran.slice(0, 2)).toEqual(['definition', 'validation']);
  expect(project.prompt('definition')).toContain(`\n1. ${reason}\n2. split T001\n`);
});

test('a refusal with the same words counts again, and tasks that stay the same are asked about, also with --yes', async () => {
  using project = await refused('refuse split T001');
  expect(await project.plan({ yes: true })).toEqual({
    outcome: 'HUMAN_INPUT',
    ran: ['definition', 'validation'],
  });
  // The planning that asks has taken the reason up.
  expect((await planStatus(project.tutti, await project.record)).next).toBe(
    'tutti plan approve --plan numerals',
  );
  await project.answer('refuse split T001');
  expect((await project.plan()).ran).toEqual(['definition', 'validation']);
});

test('every reason since the last planning counts, in the order in which they were given', async () => {
  using project = await refused();
  for (const said of ['split T001', null]) {
    const decision = { said: 'refused', reason: said, since: Date.now() } as const;
    expect(await decidePlan(project.tutti, await project.found, decision)).toMatchObject({ ok: true });
  }
  expect((await planStatus(project.tutti, await project.record)).afterRefusal).toContain(
    `plan again with these 2 reasons: ${again}`,
  );
  expect(await project.plan()).toEqual({ outcome: 'HUMAN_INPUT', ran: ['definition', 'validation'] });
  expect(project.prompt('definition')).toContain(`\n1. ${reason}\n2. split T001\n`);
  expect(await project.plan()).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
});

test('a refusal without a reason launches nothing: the same tasks are asked about', async () => {
  using project = await refused('refuse');

  expect(await project.plan()).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  expect((await project.questions()).map(({ question }) => question.text)).toEqual([
    expect.stringMatching(/^Unchanged since the refusal\. Approve plan numerals/),
  ]);
  expect(await project.answer('approve')).toEqual({ outcome: 'SUCCESS', ran: [] });
});

test('an author that writes the refused tasks again is noticed', async () => {
  using project = await refused('refuse: something else');
  expect((await project.plan()).ran).toContain('definition');
  expect((await project.questions()).map(({ question }) => question.text)).toEqual([
    expect.stringMatching(/^Unchanged since the refusal\. Approve plan numerals/),
  ]);
});

test('tasks that a person edited after the refusal are verified and asked about, and no author touches them', async () => {
  using project = await refused();
  project.editTask('T002', '"criterion": "All', '"criterion": "Quickly all');
  const mine = project.read('tasks/T002.json');
  expect(await project.plan()).toEqual({ outcome: 'HUMAN_INPUT', ran: ['validation'] });
  expect(project.read('tasks/T002.json')).toBe(mine);
});

test('a reason counts although a task was edited before the refusal, and the edit is not overwritten', async () => {
  using project = new PlannerProject();
  await project.plan();
  project.editTask('T002', '"criterion": "All', '"criterion": "Quickly all');
  const mine = project.read('tasks/T002.json');
  expect(await project.answer(`refuse ${reason}`)).toEqual({ outcome: 'FAILURE', ran: [] });
  expect(await project.plan()).toEqual({ outcome: 'HUMAN_INPUT', ran: ['definition'] });
  expect(project.prompt('definition')).toContain(`\n1. ${reason}\n`);
  const [asked] = await project.questions();
  expect(asked?.question.text).toContain('changed T002, and you had edited it');
  expect(await project.answer('keep mine')).toEqual({ outcome: 'HUMAN_INPUT', ran: ['validation'] });
  expect(project.read('tasks/T002.json')).toBe(mine);
  expect((await planStatus(project.tutti, await project.record)).next).toBe(
    'tutti plan approve --plan numerals',
  );
  expect(await project.plan()).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
});

test('an author that a refusal started does not overwrite an edited task without asking', async () => {
  using project = new PlannerProject();
  await project.plan();
  project.editTask('T002', '"criterion": "All', '"criterion": "Quickly all');
  const mine = project.read('tasks/T002.json');
  await project.answer('edit');
  await project.answer(`refuse ${reason}`);
  expect((await project.plan()).outcome).toBe('HUMAN_INPUT');
  const [asked] = await project.questions();
  expect(asked?.question.text).toContain('changed T002, and you had edited it');
  await project.answer('keep mine');
  expect(project.read('tasks/T002.json')).toBe(mine);
  expect(project.read('tasks/T003.json')).toContain('"name": "tables"');
});

test('an author that was stopped after it wrote is no person who edited the tasks', async () => {
  using project = await refused();
  project.mood(...['definition', 'definition/heal-1'].map((step): [string, string] => [step, 'fail']));
  // It wrote its tasks, and nothing has looked at them.
  expect((await project.plan()).outcome).not.toBe('HUMAN_INPUT');
  expect(project.read('tasks/T003.json')).toContain('"name": "tables"');
  expect((await project.record).phase).toBe('definition');
  project.mood();
  expect((await project.plan()).outcome).toBe('HUMAN_INPUT');
  expect((await project.questions()).map(({ question }) => question.step)).toEqual(['approval']);
});

test.each([
  ['', `say what to change: tutti plan refuse --reason TEXT --plan numerals; or edit`],
  [` ${reason}`, `plan again with that reason: ${again}; if you want it after all: tutti plan approve`],
])('after "refuse%s" every command says who refused and what helps', async (words, help) => {
  using project = await refused(`refuse${words}`);
  const { tutti } = project;
  const why = words === '' ? '' : `: ${reason}`;
  const status = await runStatus(tutti, outlinesByName, 'numerals-plan');
  expect(status?.steps.at(-1)).toMatchObject({ id: 'approval', message: `refused by ann${why}` });
  expect(await firstHint(tutti, 'numerals-plan')).toContain(help);
  const plan = await planStatus(tutti, await project.record);
  expect(plan.afterRefusal).toContain(help);
  expect(plan.next).toBe(words === '' ? 'tutti plan approve --plan numerals' : again);
  const request = { tasks: null, parallel: null, undeclared: null, verify: true, budget: {} };
  const executed = await prepareExecute(tutti, await project.found, request);
  expect(executed).toMatchObject({
    error: { message: `the plan was refused by ann${why}`, hint: expect.stringContaining(help) },
  });
});

test('a task that is begun and not finished is put back before its plan is planned again for a reason', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  const { tutti } = project;
  const execution = { id: 'numerals-execute', workflow: 'execute', input: { tasks: [] }, depth: 0 };
  const limits = { depth: 3 };
  await tutti.store.start({ ...execution, traceId: 'a', within: null, limits, concurrency: 1 });
  const begun = { at: 'running', by: execution.id, attempt: 1, since: 1, snapshot: null } as const;
  await changeTask(tutti, 'numerals', 'T001', () => ok(begun));
  await decidePlan(tutti, await project.found, { said: 'refused', reason, since: Date.now() });
  expect(await project.plan()).toEqual({
    outcome: expect.stringContaining('1 task that is begun and not finished') as string,
    ran: [],
  });
  expect(await retryTask(tutti, await project.found, 'T001', { force: true })).toMatchObject({ ok: true });
  expect((await project.plan()).ran).toEqual(['definition', 'validation']);
});
