import { allOf } from '../rig/all-of.ts';
import { expect, test, vi } from 'vitest';
import { changedTaskFiles } from '../../src/app/plans/changed-tasks.ts';
import { decidePlan } from '../../src/app/plans/agent-led/decide-plan.ts';
import { planStatus } from '../../src/app/plans/agent-led/plan-status.ts';
import { auditEvents } from '../../src/app/sessions/audit.ts';
import { answerQuestion } from '../../src/app/runs/answer-question.ts';
import { PlannerProject } from './project.ts';

/** A plan that waits for its approval; the test advances it, and no conductor. */
async function waiting(): Promise<PlannerProject> {
  const project = new PlannerProject();
  const { store, me, clock } = project.tutti;
  await store.takeConductor({ me, monotonic: clock.monotonic(), gone: [] }, 600_000);
  await project.plan();
  return project;
}

/** What the audit lists as taken. */
async function decisionsOf({ tutti }: PlannerProject): Promise<readonly string[]> {
  const request = { sinceMs: null, kind: 'decision', session: null } as const;
  return (await allOf(auditEvents(tutti, request))).flatMap(({ event }) =>
    event.type === 'decision.made' && event.decision === 'approve' ? [event.about] : [],
  );
}

async function decide(project: PlannerProject, said: 'approved' | 'refused', since = Date.now()) {
  return decidePlan(project.tutti, await project.found, { said, reason: null, since });
}

test('of two decisions on a plan at once the first counts, and the audit lists no other', async () => {
  using project = await waiting();
  const since = Date.now();
  const ends = await Promise.all([decide(project, 'approved', since), decide(project, 'refused', since)]);
  expect(ends.filter(({ ok }) => ok)).toHaveLength(1);
  const [first = ''] = ends.flatMap((end) => (end.ok ? [end.value.approval?.said] : []));
  expect(await decisionsOf(project)).toEqual([
    expect.stringContaining(first === 'approved' ? 'approve' : 'refuse'),
  ]);
  expect((await project.advance()).outcome).toBe(first === 'approved' ? 'SUCCESS' : 'FAILURE');
  expect((await project.record).approval?.said).toBe(first);
});

test('a decision that was made since the command was called is not replaced', async () => {
  using project = await waiting();
  const since = Date.now() - 1;
  expect(await decide(project, 'approved', since)).toMatchObject({ ok: true });
  expect(await decide(project, 'refused', since)).toMatchObject({
    error: { outcome: 'FAILURE', message: expect.stringContaining('was approved by') },
  });
  expect(await decisionsOf(project)).toEqual(['approve plan numerals']);
  expect((await project.advance()).outcome).toBe('SUCCESS');
  expect((await project.record).approval?.said).toBe('approved');
});

test('an answer that the run has not recorded yet counts before a later decision', async () => {
  using project = await waiting();
  const [question] = await project.questions();
  expect(await answerQuestion(project.tutti, question?.id ?? '', 'approve')).toMatchObject({ ok: true });
  expect(await answerQuestion(project.tutti, question?.id ?? '', 'refuse')).toMatchObject({ ok: false });
  expect(await decide(project, 'refused')).toMatchObject({
    error: {
      outcome: 'FAILURE',
      message: expect.stringContaining(`${question?.id} was already answered with 'approve' by `),
    },
  });
  expect(await decisionsOf(project)).toEqual([`question ${question?.id} of run numerals-plan`]);
  expect((await project.advance()).outcome).toBe('SUCCESS');
});

test('an answer that arrives between the look at a plan and the write counts alone', async () => {
  using project = await waiting();
  const { tutti } = project;
  const [question] = await project.questions();
  // The command looks before the run has asked; the question and its answer come before the command writes.
  using _looks = vi.spyOn(tutti.queries, 'openQuestions').mockResolvedValueOnce([]).mockResolvedValueOnce([]);
  const write = tutti.store.writePlan.bind(tutti.store);
  using writes = vi.spyOn(tutti.store, 'writePlan').mockImplementationOnce(async (...args) => {
    expect(await answerQuestion(tutti, question?.id ?? '', 'approve')).toMatchObject({ ok: true });
    return write(...args);
  });
  const late = await decide(project, 'refused');
  expect(writes).toHaveBeenCalledTimes(1);
  expect(late).toMatchObject({
    error: { message: expect.stringContaining('and the first decision counts') },
  });
  expect(await decisionsOf(project)).toEqual([`question ${question?.id} of run numerals-plan`]);
  expect((await project.advance()).outcome).toBe('SUCCESS');
  expect((await project.record).approval?.said).toBe('approved');
});

test('a plan whose task files were edited is not approved before they are verified and shown again', async () => {
  using project = await waiting();
  project.editTask('T003', '"name": "table"', '"name": "tables"');
  const command = 'tutti plan edit --taken --plan numerals';
  const changed = await changedTaskFiles(project.tutti, await project.found);
  expect((await planStatus(project.tutti, await project.record, { changed })).next).toBe(command);
  expect(await decide(project, 'approved')).toMatchObject({
    error: {
      message: 'the task files of plan numerals are not what was verified: changed T003',
      hint: `have them checked and shown again: ${command}`,
    },
  });
  expect((await project.record).approval).toBeNull();
  expect(await decisionsOf(project)).toEqual([]);
  expect(await project.answer('edit')).toEqual({ outcome: 'HUMAN_INPUT', ran: ['validation'] });
  expect(await decide(project, 'approved')).toMatchObject({ ok: true });
  expect((await project.advance()).outcome).toBe('SUCCESS');
});

test('approve as an answer, after an edit: the edited tasks are verified and asked about', async () => {
  using project = await waiting();
  project.editTask('T003', '"name": "table"', '"name": "tables"');
  expect(await project.answer('approve')).toEqual({ outcome: 'HUMAN_INPUT', ran: ['validation'] });
  expect((await project.record).approval).toBeNull();
  expect(await project.answer('approve')).toEqual({ outcome: 'SUCCESS', ran: [] });
  expect((await project.record).approval).toMatchObject({
    said: 'approved',
    tasks: (await project.record).checked.tasks,
  });
  expect((await project.tutti.queries.plans.task('numerals', 'T003'))?.task.name).toBe('tables');
});
