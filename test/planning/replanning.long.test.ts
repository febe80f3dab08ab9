import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { verifyPlan } from '../../src/app/plans/planning/verify-plan.ts';
import { PlannerProject } from './project.ts';

test('planned again with nothing changed: nothing is launched, asked or written', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  const before = statSync(project.paths.task('T001')).mtimeMs;
  const { phase, checked, approval } = await project.record;
  expect(await project.plan({ yes: true })).toEqual({ outcome: 'SUCCESS', ran: [] });
  expect(await project.plan({ spec: { from: 'stored' }, plan: 'numerals' })).toEqual({
    outcome: 'SUCCESS',
    ran: [],
  });
  expect(await project.record).toMatchObject({ phase, checked, approval: { tasks: approval?.tasks } });
  expect(statSync(project.paths.task('T001')).mtimeMs).toBe(before);
});

test('a sentence that changes nothing to build: the logic architect looks, and nobody else', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  const tasks = (await project.record).checked.tasks;
  project.edit('in a hurry', 'in any hurry');
  const { outcome, ran } = await project.plan();
  expect(ran).toEqual(['logical']);
  expect(await project.value).toMatchObject({ summary: { said: 'no behavior and no task changed' } });
  // The tasks are the same, so their approval holds.
  expect(outcome).toBe('SUCCESS');
  expect((await project.record).checked.tasks).toBe(tasks);
  expect((await project.record).phase).toBe('ready');
  expect(project.prompt('logical')).toContain('| - A small library. Nothing here is in a hurry.');
  expect(project.prompt('logical')).toContain('| + A small library. Nothing here is in any hurry.');
});

test('a line more before everything else moves places, not content', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.edit('# Numerals\n', '# Numerals\n\nFor everybody.\n');
  expect(await project.plan()).toEqual({ outcome: 'SUCCESS', ran: ['logical'] });
});

test('a sentence that changes one behavior: everything that depends on it, and its task alone is another one', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  const [first, third] = ['T001', 'T003'].map((id) => readFileSync(project.paths.task(id), 'utf8'));
  project.edit('writes roman numerals', 'writes roman numerals in capital letters');
  const { outcome, ran } = await project.plan();
  expect(outcome).toBe('HUMAN_INPUT');
  // The graph is as it was, so the phases hold; the files of behaviors too, but who maps them must say so.
  expect(ran).toEqual(['logical', 'physical', 'definition', 'validation']);
  expect(project.prompt('physical')).toContain('Behaviors since then: changed B2.');
  expect(project.prompt('definition')).toContain('Behaviors since then: changed B2.');
  expect(await project.answer('approve')).toEqual({ outcome: 'SUCCESS', ran: [] });
  expect(await project.value).toMatchObject({
    summary: {
      changes: {
        behaviors: { added: [], changed: ['B2'], removed: [] },
        tasks: { added: [], changed: ['T002'], removed: [] },
      },
      said: 'behaviors: changed B2; tasks: changed T002',
    },
  });
  expect(readFileSync(project.paths.task('T001'), 'utf8')).toBe(first);
  expect(readFileSync(project.paths.task('T003'), 'utf8')).toBe(third);
});

test('a behavior more and one less are said as that', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.edit('- B3 table: prints a table of the first hundred', '- B4 clock: prints the hour');
  await project.plan({ yes: true });
  expect(await project.value).toMatchObject({
    summary: {
      changes: {
        behaviors: { added: ['B4'], changed: [], removed: ['B3'] },
        tasks: { added: ['T004'], changed: [], removed: ['T003'] },
      },
    },
  });
});

test('a task that an agent only wrote out again keeps its file byte for byte', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  const first = readFileSync(project.paths.task('T001'), 'utf8');
  project.edit('writes roman numerals', 'writes them in capital letters');
  project.mood(['definition', 'reformat']);
  await project.plan({ yes: true });
  expect(readFileSync(project.paths.task('T001'), 'utf8')).toBe(first);
  expect(readFileSync(project.paths.task('T002'), 'utf8')).toContain('in capital letters');
});

test('a specification that goes back is planned as it was, not as the files happen to be', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  const tasks = (await project.record).checked.tasks;
  project.edit('writes roman', 'prints roman');
  await project.plan({ yes: true });
  expect((await project.record).checked.tasks).not.toBe(tasks);
  project.edit('prints roman', 'writes roman');
  expect((await project.plan({ yes: true })).outcome).toBe('SUCCESS');
  expect((await project.record).checked.tasks).toBe(tasks);
});

test('a task that a person edited is verified again, and nothing else is', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.editTask('T002', '"name": "format"', '"name": "format well"');
  expect(await project.plan({ yes: true })).toEqual({ outcome: 'SUCCESS', ran: ['validation'] });
  expect((await project.record).verdict?.tasks).toBe((await project.record).checked.tasks);
  expect(await project.plan({ yes: true })).toEqual({ outcome: 'SUCCESS', ran: [] });
});

test('a task that a person broke is a question to that person, and no author touches it unasked', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.editTask('T002', '"B2"', '"B7"');
  expect(await project.plan({ yes: true })).toEqual({ outcome: 'HUMAN_INPUT', ran: [] });
  expect((await project.questions())[0]?.question.text).toContain('B7 is no behavior');
  project.editTask('T002', '"B7"', '"B2"');
  expect(await project.answer('edited')).toEqual({ outcome: 'SUCCESS', ran: [] });

  project.editTask('T002', '"B2"', '"B7"');
  await project.plan({ yes: true });
  expect((await project.answer('author')).ran).toEqual(['definition/heal-1']);
  expect(project.prompt('definition/heal-1')).toContain('B7 is no behavior');
});

test('giving up on a broken task ends planning, with the files as the person left them', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.editTask('T002', '"B2"', '"B7"');
  const mine = project.read('tasks/T002.json');
  await project.plan({ yes: true });
  expect(await project.answer('abort')).toEqual({ outcome: 'NEEDS_ESCALATION', ran: [] });
  expect(project.read('tasks/T002.json')).toBe(mine);
});

test('a file that is no task at all is refused before anything runs', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  writeFileSync(project.paths.task('T002'), '{ half');
  project.edit('writes roman numerals', 'writes them in capital letters');
  const { outcome, ran } = await project.plan({ yes: true });
  expect(outcome).toContain('tasks/T002.json');
  expect(ran).toEqual([]);
  expect(project.read('tasks/T002.json')).toBe('{ half');
});

test('a task that a person edited is theirs: planning again asks before an author changes it', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.editTask('T002', '"estimate_hours": 2', '"estimate_hours": 5');
  project.editTask('T002', '"criterion": "All', '"criterion": "Quickly all');
  project.editTask('T003', '"criterion": "All', '"criterion": "Slowly all');
  const mine = project.read('tasks/T002.json');
  const table = project.read('tasks/T003.json');
  project.edit('writes roman numerals', 'writes them in capital letters');
  expect((await project.plan({ yes: true })).outcome).toBe('HUMAN_INPUT');
  expect(project.prompt('definition')).toContain('edited, added or removed these tasks: T002, T003.');
  const [asked] = await project.questions();
  expect(asked?.question.text).toContain('changed T002, T003, and you had edited them');
  const { outcome } = await project.answer('keep mine');
  expect(outcome).toBe('SUCCESS');
  expect([project.read('tasks/T002.json'), project.read('tasks/T003.json')]).toEqual([mine, table]);

  // It is still theirs when planning comes back to it, and only a yes gives it away.
  project.edit('prints a table', 'prints a long table');
  expect((await project.plan({ yes: true })).outcome).toBe('HUMAN_INPUT');
  expect((await project.answer('take the new one')).outcome).toBe('SUCCESS');
  expect(project.read('tasks/T003.json')).not.toBe(table);
  expect(project.read('tasks/T002.json')).toContain('in capital letters');
  project.edit('prints a long table', 'prints a short table');
  expect((await project.plan({ yes: true })).outcome).toBe('SUCCESS');
});

test("an author that leaves edited tasks alone asks nobody, and they stay a person's", async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.editTask('T003', '"criterion": "All', '"criterion": "Slowly all');
  const mine = project.read('tasks/T003.json');
  project.mood(['definition', 'careful']);
  project.edit('writes roman numerals', 'writes them in capital letters');
  expect((await project.plan({ yes: true })).outcome).toBe('SUCCESS');
  expect(project.read('tasks/T003.json')).toBe(mine);
  project.mood();
  project.edit('in capital letters', 'in small letters');
  expect((await project.plan({ yes: true })).outcome).toBe('HUMAN_INPUT');
  await project.answer('keep mine');
  expect(project.read('tasks/T003.json')).toBe(mine);
});

test('planning again keeps the phase of every task that is the same work, whatever the auditor says', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.editTask('T003', '"phase": 3', '"phase": 7');
  expect((await project.plan({ yes: true })).ran).toEqual([]);
  // One task more: the graph is another one, so the auditor gives phases again.
  project.edit('- B3', '- B4 clock: prints the hour\n- B3');
  const { outcome, ran } = await project.plan({ yes: true });
  expect([outcome, ran.at(-1)]).toEqual(['SUCCESS', 'sequencing']);
  expect(project.prompt('sequencing')).toContain('Only these tasks are new or changed: T004.');
  expect(project.read('tasks/T003.json')).toContain('"phase": 7');
  expect(project.read('tasks/T004.json')).toContain('"phase": 3');
});

test('a capability map that a person edited is what the rest is planned from', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  const map = readFileSync(project.paths.capabilityMap, 'utf8');
  writeFileSync(
    project.paths.capabilityMap,
    map.replace('description": "reads roman numerals"', 'description": "reads them backwards"'),
  );
  const { outcome, ran } = await project.plan({ yes: true });
  expect(outcome).toBe('SUCCESS');
  expect(ran).toEqual(['physical', 'definition', 'validation']);
  expect(project.read('tasks/T001.json')).toContain('reads them backwards');
});

test('verify: the verifier looks again, at the tasks as they are now', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.mood(['validation', 'notes']);
  const begun = await verifyPlan(project.tutti, await project.found);
  expect(begun).toEqual({ ok: true, value: { runId: 'numerals-plan', how: 'reopened' } });
  expect(await project.advance()).toEqual({ outcome: 'SUCCESS', ran: ['validation'] });
  expect((await project.record).verdict?.verdict).toBe('READY_WITH_NOTES');
});

test('verify starts no author: what only an author could repair is refused, and nothing runs', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  const file = project.paths.task('T001');
  const task = readFileSync(file, 'utf8');
  writeFileSync(file, task.replace('"T001"', '"T0O1"'));
  const broken = await verifyPlan(project.tutti, await project.found);
  expect(broken).toMatchObject({ ok: false, error: { outcome: 'USAGE' } });
  writeFileSync(file, task);
  const map = project.read('artifacts/capability-map.json');
  const backwards = map.replace('description": "reads roman', 'description": "reads other');
  writeFileSync(project.paths.capabilityMap, backwards);
  const moved = await verifyPlan(project.tutti, await project.found);
  expect(moved).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('that map is another one') as string },
  });
  expect(await project.advance()).toEqual({ outcome: 'SUCCESS', ran: [] });
  // Without these looks the author of the tasks would be started.
  const { ran } = await project.plan({ yes: true });
  expect(ran).toContain('definition');
});

test('an approval in advance holds for the tasks of its own command: edited ones are asked about', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  const file = project.paths.task('T001');
  const task = JSON.parse(readFileSync(file, 'utf8')) as { name: string };
  writeFileSync(file, JSON.stringify({ ...task, name: `${task.name}, and more` }));
  await verifyPlan(project.tutti, await project.found);
  expect((await project.advance()).outcome).toBe('HUMAN_INPUT');
  const open = await project.tutti.queries.openQuestions('numerals-plan');
  expect(open.map(({ question }) => question.step)).toEqual(['approval']);
});

test('a phase that failed is tried again when planning is, and what stood before it stands', async () => {
  using project = new PlannerProject();
  project.mood(['physical', 'forget'], ['physical/heal-1', 'forget']);
  expect((await project.plan({ yes: true })).outcome).toBe('NEEDS_ESCALATION');
  project.mood();
  expect(await project.plan({ yes: true })).toEqual({
    outcome: 'SUCCESS',
    ran: ['physical', 'definition', 'validation', 'sequencing'],
  });
});

test('killed between the new specification and the amended run: the next planning still knows what was there', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.edit('in a hurry', 'in any hurry');
  const { store } = project.tutti;
  const amend = store.amend.bind(store);
  store.amend = () => Promise.reject(new Error('killed'));
  await expect(project.plan({ yes: true })).rejects.toThrow('killed');
  store.amend = amend;
  expect(await project.plan({ yes: true })).toEqual({ outcome: 'SUCCESS', ran: ['logical'] });
  expect(project.prompt('logical')).toContain('| + A small library. Nothing here is in any hurry.');
});

test('edited once more before planning came to its end: the difference is to what was planned last', async () => {
  using project = new PlannerProject();
  await project.plan({ yes: true });
  project.edit('reads roman', 'parses roman');
  project.mood(['physical', 'forget'], ['physical/heal-1', 'forget']);
  expect((await project.plan({ yes: true })).outcome).toBe('NEEDS_ESCALATION');
  project.mood();
  project.edit('writes roman', 'prints roman');
  expect((await project.plan({ yes: true })).outcome).toBe('SUCCESS');
  expect(project.prompt('logical')).toContain('| + - B1 parse: parses roman numerals');
  expect(project.prompt('logical')).toContain('| + - B2 format: prints roman numerals');
  expect(await project.value).toMatchObject({
    summary: { changes: { tasks: { changed: ['T001', 'T002'] } } },
  });
});
