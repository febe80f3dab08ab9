import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPlan } from '../../src/app/plans/find-plan.ts';
import { completeTask } from '../../src/app/plans/agent-led/complete-task.ts';
import { failTask } from '../../src/app/plans/agent-led/fail-task.ts';
import { planStatus } from '../../src/app/plans/agent-led/plan-status.ts';
import { retryTask, skipTask } from '../../src/app/plans/agent-led/reopen-task.ts';
import { answerQuestion } from '../../src/app/runs/answer-question.ts';
import { resumeRun } from '../../src/app/runs/control.ts';
import { runStatus } from '../../src/app/status/run-status.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { workflows } from '../../src/app/workflows.ts';
import { runHint } from '../../src/cli/render/run-hint.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { approve, cheap, ensurePlan, ExecuteProject, plan, runId } from './project.ts';

const slow = { timeout: 300_000 };

async function reopen(tutti: Tutti, how: 'skip' | 'retry', id: string, force = false): Promise<string> {
  const found = await findPlan(tutti, plan);
  if (!found.ok) throw new Error(found.error.message);
  const end =
    how === 'skip'
      ? await skipTask(tutti, found.value, id, { reason: 'not now', force })
      : await retryTask(tutti, found.value, id, { force });
  return end.ok ? end.value.row.state.at : `${end.error.message}\n${end.error.hint}`;
}

async function endByHand(tutti: Tutti, how: 'fail' | 'complete', id: string): Promise<string> {
  const found = await findPlan(tutti, plan);
  if (!found.ok) throw new Error(found.error.message);
  const end =
    how === 'fail'
      ? await failTask(tutti, found.value, id, { category: 'runtime', message: 'no', retryable: false })
      : await completeTask(tutti, found.value, id, { created: [], modified: [] });
  return end.ok ? 'ended' : `${end.error.message}\n${end.error.hint}`;
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + hangLimitMs; !condition(); ) {
    if (Date.now() > end) throw new Error('it did not happen');
    await new Promise((go) => setTimeout(go, 10));
  }
}

async function hint(tutti: Tutti): Promise<string | null> {
  const status = await runStatus(tutti, workflows, runId);
  return status === null ? null : runHint(status);
}

async function next(tutti: Tutti): Promise<string | null> {
  const record = await tutti.queries.plans.one(plan);
  return record === null ? null : (await planStatus(tutti, record)).next;
}

const last = ['T002', 'T002/verify', 'T003', 'T003/verify', 'T004', 'T004/verify'];

test.each(['execute', 'resume'])(
  'a task that was skipped and reopened is done by the next %s',
  slow,
  async (command) => {
    using project = new ExecuteProject();
    using tutti = project.open();
    await ensurePlan(tutti, project.path);
    expect(await reopen(tutti, 'skip', 'T002')).toBe('skipped');
    expect(await project.playIn(tutti)).toEqual({
      outcome: 'PARTIAL_SUCCESS',
      ran: ['T001', 'T001/verify'],
    });
    expect(await hint(tutti)).toBe('do what was skipped: tutti task retry T002 --plan records');
    expect(await next(tutti)).toBe('tutti task retry T002 --plan records');
    expect(await resumeRun(tutti, runId, [])).toMatchObject({
      error: {
        message: expect.stringContaining('task T002 was skipped'),
        hint: 'do it after all: tutti task retry T002 --plan records',
      },
    });
    expect(await reopen(tutti, 'retry', 'T002')).toBe('pending');
    expect(await hint(tutti)).toBe('continue: tutti resume records-execute');
    expect(await next(tutti)).toBe('tutti execute --plan records');
    if (command === 'resume') expect((await resumeRun(tutti, runId, [])).ok).toBe(true);
    const again = await (command === 'resume' ? project.advance(tutti) : project.playIn(tutti));
    expect(again).toEqual({ outcome: 'SUCCESS', ran: last });
  },
);

test('a finished task that was reopened is done again by the next resume', slow, async () => {
  using project = new ExecuteProject(cheap(goodPlan({ tasks: 2 })));
  using tutti = project.open();
  await project.playIn(tutti);
  // The run is told what is done.
  expect(await project.playIn(tutti)).toEqual({ outcome: 'SUCCESS', ran: [] });
  const found = await findPlan(tutti, plan);
  if (!found.ok) throw new Error(found.error.message);
  expect(await retryTask(tutti, found.value, 'T002', { force: false })).toMatchObject({
    value: { row: { state: { at: 'pending' } }, keptOn: 'tutti/records/integration' },
  });
  expect((await resumeRun(tutti, runId, [])).ok).toBe(true);
  expect(await project.advance(tutti)).toEqual({ outcome: 'SUCCESS', ran: ['T002', 'T002/verify'] });
  expect((await tutti.queries.plans.task(plan, 'T002'))?.state).toMatchObject({ at: 'done', attempt: 2 });
});

test('an attempt at a task that failed and was skipped keeps its number', slow, async () => {
  using project = new ExecuteProject();
  project.rules({ T002: { content: 'says nothing of the kind\n' } });
  using tutti = project.open();
  expect((await project.playIn(tutti)).outcome).toBe('NEEDS_ESCALATION');
  const mark = async () => (await tutti.queries.plans.one(plan))?.checkpoint?.tasks['T002'];
  expect(await mark()).toBe('failed');
  await reopen(tutti, 'skip', 'T002');
  expect(await mark()).toBeUndefined();
  await reopen(tutti, 'retry', 'T002');
  project.rules({});
  expect(await project.playIn(tutti)).toEqual({ outcome: 'SUCCESS', ran: last });
  expect((await tutti.queries.plans.task(plan, 'T002'))?.state).toMatchObject({ at: 'done', attempt: 2 });
  // The begin of its first attempt is no reason to continue; a task that is other work by now is one to load it first.
  const nothing = { error: { message: 'run records-execute succeeded: there is nothing to resume' } };
  expect(await resumeRun(tutti, runId, [])).toMatchObject(nothing);
  project.editTask('T003', (task) => ({ ...task, name: 'Other work' }));
  await approve(tutti);
  expect((await tutti.queries.plans.task(plan, 'T003'))?.state.at).toBe('pending');
  const message = 'the tasks of plan records were edited after run records-execute loaded them: changed T003';
  expect(await resumeRun(tutti, runId, [])).toMatchObject({ error: { message } });
});

test(
  'a person does not take a task from a run that works on it, and nothing is paid twice',
  slow,
  async () => {
    using project = new ExecuteProject();
    project.rules({ T001: { touch: 'ledger-began', waitFor: 'go' } });
    using tutti = project.open();
    const playing = project.playIn(tutti);
    await until(() => existsSync(join(project.path, 'ledger-began')));
    for (const how of ['retry', 'skip'] as const) {
      expect(await reopen(tutti, how, 'T001', true)).toBe(
        `run records-execute is working on task T001\nstop it first: tutti stop records-execute; then again: tutti task ${how} T001`,
      );
    }
    for (const how of ['fail', 'complete'] as const) {
      expect(await endByHand(tutti, how, 'T001')).toBe(
        `run records-execute is working on task T001\nstop it first: tutti stop records-execute; then again: tutti task ${how} T001`,
      );
    }
    project.write('go', '');
    expect(await playing).toMatchObject({ outcome: 'SUCCESS', ran: ['T001', 'T001/verify', ...last] });
  },
);

test('a task that a run has begun and that waits for a person is ended by that run alone', slow, async () => {
  using project = new ExecuteProject();
  project.rules({ T002: { also: { 'src/beyond.txt': 'more' } } });
  using tutti = project.open();
  expect((await project.playIn(tutti)).outcome).toBe('HUMAN_INPUT');
  for (const how of ['fail', 'complete'] as const) {
    expect(await endByHand(tutti, how, 'T002')).toContain('task T002 belongs to run records-execute');
  }
  expect((await tutti.queries.plans.task(plan, 'T002'))?.state.at).toBe('running');
  expect(await tutti.queries.openQuestions(runId)).toHaveLength(1);
});

test.each(['retry', 'skip'] as const)(
  'after task %s of a task that a parked run has begun, the run does as the record says',
  slow,
  async (how) => {
    using project = new ExecuteProject();
    project.rules({ T002: { also: { 'src/beyond.txt': 'more' } } });
    using tutti = project.open();
    const asked = await project.playIn(tutti);
    expect(asked).toEqual({ outcome: 'HUMAN_INPUT', ran: ['T001', 'T001/verify', 'T002'] });
    project.rules({});
    const [question] = await tutti.queries.openQuestions(runId);
    expect(await reopen(tutti, how, 'T002', true)).toBe(how === 'retry' ? 'pending' : 'skipped');
    expect(await tutti.queries.openQuestions(runId)).toEqual([]);
    expect(await answerQuestion(tutti, question?.id ?? '', 'accept')).toEqual({
      ok: false,
      error: {
        outcome: 'USAGE',
        message: `${question?.id ?? ''} is closed: task T002, which asked it, ${how === 'retry' ? 'no longer waits for it' : 'was skipped'}`,
        hint: 'see what is open: tutti inbox',
      },
    });
    const status = await runStatus(tutti, workflows, runId);
    expect(status?.state).toBe('undriven');
    expect(status?.steps.find(({ id }) => id === 'T002')?.state).toBe('queued');
    expect(await hint(tutti)).toBe(`continue: tutti resume ${runId}`);
    // As the conductor does.
    const end = await project.advance(tutti);
    expect(end).toEqual(
      how === 'retry' ? { outcome: 'SUCCESS', ran: last } : { outcome: 'PARTIAL_SUCCESS', ran: [] },
    );
    expect(await tutti.queries.openQuestions(runId)).toEqual([]);
    expect((await tutti.queries.plans.task(plan, 'T002'))?.state).toMatchObject(
      how === 'retry' ? { at: 'done', attempt: 2 } : { at: 'skipped', attempts: 1 },
    );
    const landed = project.git('log', '--format=%s', 'tutti/records/integration');
    expect(landed.match(/^T002:/gm)?.length ?? 0).toBe(how === 'retry' ? 1 : 0);
  },
);
