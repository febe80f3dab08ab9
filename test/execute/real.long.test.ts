import { changePlan, changeTask } from '../../src/app/plan-record/change-plan.ts';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { resumeRun } from '../../src/app/runs/control.ts';
import { clearHalt } from '../../src/app/plans/agent-led/clear-halt.ts';
import { haltPlan } from '../../src/app/plans/agent-led/halt-plan.ts';
import { ok } from '../../src/lib/result.ts';
import { completeTask } from '../../src/model/plan/task-state.ts';
import { startTask } from '../../src/model/plan/work-on-task.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { approve, cheap, ensurePlan, ExecuteProject, plan, runId } from './project.ts';

const slow = { timeout: 300_000 };

async function launches(tutti: Tutti): Promise<number> {
  return (await tutti.queries.events(runId, 0)).filter(({ event }) => event.type === 'step.launched').length;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + hangLimitMs; !(await condition()); ) {
    if (Date.now() > end) throw new Error('it did not happen');
    await new Promise((go) => setTimeout(go, 10));
  }
}

async function states(tutti: Tutti): Promise<Record<string, string>> {
  return Object.fromEntries((await tutti.queries.plans.states(plan)).map(({ id, state }) => [id, state.at]));
}

test(
  'a plan is executed in workspaces, landed and recorded; a second time nothing is launched',
  slow,
  async () => {
    using project = new ExecuteProject();
    const first = await project.play();
    expect(first).toEqual({
      outcome: 'SUCCESS',
      ran: ['T001', 'T001/verify', 'T002', 'T002/verify', 'T003', 'T003/verify', 'T004', 'T004/verify'],
    });
    expect(project.json('bundles/T001-result.json')).toMatchObject({
      task_id: 'T001',
      status: 'success',
      error: null,
      verification: { verdict: 'PASS', criteria: [{ status: 'PASS' }] },
    });
    const trailers =
      '%s %(trailers:key=Tutti-Task,valueonly,separator=)%(trailers:key=Tutti-Agent,valueonly,separator=)';
    const log = project
      .git('log', '--reverse', `--format=${trailers}`, 'tutti/records/integration')
      .trim()
      .split('\n');
    expect(log).toEqual([
      'begin ',
      ...['T001', 'T002', 'T003', 'T004'].map((id) => expect.stringContaining(`${id}task-executor`)),
    ]);
    // Every branch of an attempt is gone, and the operator's folder is as it was.
    expect(project.git('for-each-ref', '--format=%(refname)', 'refs/heads').trim()).toBe(
      'refs/heads/tutti/records/integration',
    );
    expect(existsSync(join(project.path, 'src'))).toBe(false);
    using tutti = project.open();
    expect(await tutti.queries.plans.one(plan)).toMatchObject({ phase: 'complete', checkpoint: null });
    const before = await launches(tutti);
    expect(await project.playIn(tutti)).toEqual({ outcome: 'SUCCESS', ran: [] });
    expect(await launches(tutti)).toBe(before);
    // Looked at and approved once more, it has nothing to do either.
    await changePlan(tutti, plan, (record) => ok({ ...record, phase: 'ready' }));
    expect(await project.playIn(tutti)).toEqual({ outcome: 'SUCCESS', ran: [] });
    expect(await launches(tutti)).toBe(before);
    expect((await tutti.queries.plans.one(plan))?.phase).toBe('complete');
  },
);

test(
  'claims of success that the gates do not confirm are never done: rescued, told, dependents blocked; then tried again',
  slow,
  async () => {
    using project = new ExecuteProject();
    project.rules({ T002: { content: 'says nothing of the kind\n' } });
    using tutti = project.open();
    const failed = await project.playIn(tutti);
    expect(failed.outcome).toBe('NEEDS_ESCALATION');
    expect(failed.ran).toEqual(['T001', 'T001/verify', 'T002', 'T002/heal-1']);
    expect(await states(tutti)).toEqual({ T001: 'done', T002: 'failed', T003: 'pending', T004: 'pending' });
    expect(project.json('bundles/T002-result.json')).toMatchObject({
      status: 'failed',
      verification: { verdict: 'FAIL', criteria: [{ status: 'FAIL' }] },
      error: { category: 'test', retryable: false },
      notes: expect.stringContaining('refs/tutti/rescue/records/T002-1'),
    });
    const kept = project.git('show', 'refs/tutti/rescue/records/T002-1:src/part-2/record-2.js');
    expect(kept).toContain('says nothing of the kind');
    expect((await tutti.queries.plans.task(plan, 'T002'))?.state).toMatchObject({
      rescue: 'refs/tutti/rescue/records/T002-1',
    });
    project.rules({});
    const again = await project.playIn(tutti);
    expect(again.outcome).toBe('SUCCESS');
    expect(again.ran).toEqual(['T002', 'T002/verify', 'T003', 'T003/verify', 'T004', 'T004/verify']);
    expect((await tutti.queries.plans.task(plan, 'T002'))?.state).toMatchObject({ at: 'done', attempt: 2 });
  },
);

test(
  'an agent that writes nothing, and one that writes beyond what it declared, are not done',
  slow,
  async () => {
    using project = new ExecuteProject();
    project.rules({ T001: { nothing: true } });
    using tutti = project.open();
    expect((await project.playIn(tutti)).outcome).toBe('NEEDS_ESCALATION');
    expect((await states(tutti))['T001']).toBe('failed');
    project.rules({ T001: { also: { 'src/beyond.txt': 'more' } } });
    const refused = await project.playIn(tutti, { undeclared: 'refuse' });
    expect(refused.ran).toEqual(['T001']);
    expect((await states(tutti))['T001']).toBe('failed');
    const asked = await project.playIn(tutti, { tasks: ['T001'] });
    expect(asked.outcome).toBe('HUMAN_INPUT');
    expect((await states(tutti))['T001']).toBe('running');
    expect(project.git('log', '--format=%s', 'tutti/records/integration').trim()).toBe('begin');
    const accepted = await project.advance(tutti, () => 'accept');
    expect(accepted.outcome).toBe('SUCCESS');
    expect(project.git('ls-tree', '-r', '--name-only', 'tutti/records/integration')).toContain(
      'src/beyond.txt',
    );
    expect(await states(tutti)).toMatchObject({ T001: 'done', T002: 'pending' });
  },
);

test(
  'of 20 finished tasks one is edited: it runs again, and what needs it only if it produced something else',
  slow,
  async () => {
    using project = new ExecuteProject(cheap(goodPlan({ tasks: 20 })));
    using tutti = project.open();
    const first = await project.playIn(tutti, { verify: false });
    expect(first).toMatchObject({ outcome: 'SUCCESS' });
    expect(first.ran).toHaveLength(20);
    // Said otherwise, and the same is made of it.
    project.editTask('T006', (task) => ({
      ...task,
      context: { ...task.context, spec_requirements: ['said otherwise'] },
    }));
    expect((await project.playIn(tutti, { verify: false })).outcome).toContain('changed T006');
    await approve(tutti);
    expect(await project.playIn(tutti, { verify: false })).toEqual({ outcome: 'SUCCESS', ran: ['T006'] });
    const better = (task: (typeof project.documents.tasks)[number]) => ({
      ...task,
      name: 'Keep record 6, better',
    });
    project.editTask('T006', better);
    await project.playIn(tutti, { verify: false });
    await approve(tutti);
    const needing = project.documents.tasks.filter(({ dependencies }) => dependencies.tasks.includes('T006'));
    const ran = ['T006', ...needing.map(({ id }) => id)].toSorted();
    expect(await project.playIn(tutti, { verify: false })).toEqual({ outcome: 'SUCCESS', ran });
    process.stdout.write(
      `execute: 20 tasks, one edited: ${ran.length} executed (${ran.join(', ')}), 20 the first time\n`,
    );
    const shown = project.git('show', 'tutti/records/integration:src/part-6/record-6.js');
    expect(shown).toContain('Keep record 6, better');
    // An edit that is taken back is an edit.
    project.editTask('T006', (task) => task);
    await project.playIn(tutti, { verify: false });
    await approve(tutti);
    expect((await project.playIn(tutti, { verify: false })).ran).toEqual(ran);
    expect(project.git('show', 'tutti/records/integration:src/part-6/record-6.js')).not.toContain('better');
  },
);

test(
  'two tasks that touch one file without saying so: the second is rebased, judged again, and nothing is lost',
  slow,
  async () => {
    using project = new ExecuteProject(cheap(goodPlan({ tasks: 6 })));
    const both = ['T005', 'T006'];
    project.rules(
      Object.fromEntries(
        both.flatMap((id) => [
          [id, { also: { 'shared.txt': `from ${id}\n` }, waitFor: 'go' }],
          [`${id}/rebase-1`, { resolve: ['shared.txt'] }],
        ]),
      ),
    );
    using tutti = project.open();
    const playing = project.playIn(tutti, { undeclared: 'accept', verify: false });
    await until(() => both.every((id) => project.ledger().includes(`${id} begin`)));
    writeFileSync(join(project.path, 'go'), '');
    const played = await playing;
    expect(played.outcome).toBe('SUCCESS');
    expect(played.ran.filter((step) => step.includes('rebase'))).toHaveLength(1);
    const shared = project.git('show', 'tutti/records/integration:shared.txt');
    expect(shared.trim().split('\n').toSorted()).toEqual(['from T005', 'from T006']);
    expect(project.git('log', '--merges', '--format=%H', 'tutti/records/integration')).toBe('');
    expect(await states(tutti)).toMatchObject({ T005: 'done', T006: 'done' });
  },
);

test('a halt by command: the task under way is judged and landed before the run halts', slow, async () => {
  using project = new ExecuteProject();
  project.rules({ T001: { waitFor: 'go' } });
  using tutti = project.open();
  const found = await ensurePlan(tutti, project.path);
  const playing = project.playIn(tutti, { verify: false });
  await until(() => project.ledger().includes('T001 begin'));
  using other = project.open();
  expect(await haltPlan(other, found, 'lunch')).toMatchObject({ ok: true });
  writeFileSync(join(project.path, 'go'), '');
  expect(await playing).toEqual({ outcome: 'HALTED', ran: ['T001'] });
  expect(await states(tutti)).toMatchObject({ T001: 'done', T002: 'pending' });
  expect(project.git('log', '--format=%s', '-1', 'tutti/records/integration')).toContain('T001');
});

test(
  'a halt while the only task at work waits for a usage limit halts at once, and starts no agent',
  slow,
  async () => {
    using project = new ExecuteProject(cheap(goodPlan({ tasks: 2 })), 'git', {
      config: { driver: 'replay' },
    });
    const limited = { match: { step: 'T001', turn: 1 }, limit: {} };
    project.write('cassette.yaml', JSON.stringify({ turns: [limited] }));
    using tutti = project.open();
    const found = await ensurePlan(tutti, project.path);
    const playing = project.playIn(tutti, { tasks: ['T001'], verify: false });
    await until(async () => (await tutti.queries.entries(runId)).some(({ kind }) => kind === 'sleep'));
    using other = project.open();
    expect(await haltPlan(other, found, 'lunch')).toMatchObject({ ok: true });
    expect((await playing).outcome).toBe('HALTED');
    expect(await tutti.queries.sessions.ofRun(runId)).toHaveLength(1);
    expect(await states(tutti)).toMatchObject({ T001: 'running' });
    // Whoever resumes it wants it to try now, because nobody told when the limit ends.
    expect(await clearHalt(tutti, await ensurePlan(tutti, project.path))).toMatchObject({ ok: true });
    expect(await resumeRun(tutti, runId, [])).toMatchObject({ ok: true });
    const pause = (await tutti.queries.entries(runId)).find(({ kind }) => kind === 'sleep');
    expect(pause?.state.at).toBe('done');
  },
);

test('a STOP file: what is under way finishes, nothing new starts; resumed, it goes on', slow, async () => {
  using project = new ExecuteProject();
  project.rules({ T001: { waitFor: 'go' } });
  using tutti = project.open();
  const found = await ensurePlan(tutti, project.path);
  const playing = project.playIn(tutti);
  await until(() => project.ledger().includes('T001 begin'));
  writeFileSync(found.paths.stop, 'enough for today\n');
  writeFileSync(join(project.path, 'go'), '');
  const halted = await playing;
  expect(halted).toEqual({ outcome: 'HALTED', ran: ['T001', 'T001/verify'] });
  expect(await states(tutti)).toEqual({ T001: 'done', T002: 'pending', T003: 'pending', T004: 'pending' });
  expect((await tutti.queries.plans.one(plan))?.halt).toMatchObject({ reason: 'enough for today' });
  expect((await project.playIn(tutti)).outcome).toContain('is halted: enough for today');
  const now = await ensurePlan(tutti, project.path);
  expect(await clearHalt(tutti, now)).toMatchObject({ ok: true });
  await tutti.store.resume(runId);
  const rest = await project.advance(tutti);
  expect(rest.outcome).toBe('SUCCESS');
  expect(rest.ran).toHaveLength(6);
});

test(
  'an execution that continues runs as many tasks at a time as before, unless told otherwise',
  slow,
  async () => {
    using project = new ExecuteProject();
    using tutti = project.open();
    const concurrency = async () => (await tutti.queries.run(runId))?.concurrency;
    await project.playIn(tutti, { parallel: null, tasks: ['T001'] });
    expect(await concurrency()).toBe(3);
    await project.playIn(tutti, { parallel: 1, tasks: ['T002'] });
    await project.playIn(tutti, { parallel: null, tasks: ['T003'] });
    expect(await concurrency()).toBe(1);
  },
);

test('a STOP file during the last task leaves no halt behind once the plan is complete', slow, async () => {
  using project = new ExecuteProject();
  project.rules({ T004: { waitFor: 'go' } });
  using tutti = project.open();
  const found = await ensurePlan(tutti, project.path);
  const playing = project.playIn(tutti);
  await until(
    async () => Object.values(await states(tutti)).filter((state) => state === 'done').length === 3,
  );
  await until(() => project.ledger().includes('T004 begin'));
  writeFileSync(found.paths.stop, 'enough for today\n');
  await until(async () => (await tutti.queries.plans.one(plan))?.halt !== null);
  writeFileSync(join(project.path, 'go'), '');
  expect(await playing).toMatchObject({ outcome: 'SUCCESS' });
  expect(await tutti.queries.plans.one(plan)).toMatchObject({ phase: 'complete', halt: null });
  expect(existsSync(found.paths.stop)).toBe(false);
});

test('what a hosted agent has done is not done again, and what it is at is left to it', slow, async () => {
  using project = new ExecuteProject();
  using tutti = project.open();
  await ensurePlan(tutti, project.path);
  const begin = { by: 'somebody', since: 1, snapshot: null };
  await changeTask(tutti, plan, 'T001', ({ state }) => startTask(state, begin));
  const taken = await project.playIn(tutti);
  expect(taken).toMatchObject({ outcome: 'UNAVAILABLE', ran: [] });
  expect((await states(tutti))['T001']).toBe('running');
  const end = {
    endedAt: 2,
    files: { created: [], modified: [] },
    verification: { verdict: 'PASS', criteria: [] },
    produced: 'x',
  } as const;
  await changeTask(tutti, plan, 'T001', ({ state }) => completeTask(state, end));
  const rest = await project.playIn(tutti, { verify: false });
  expect(rest).toEqual({ outcome: 'SUCCESS', ran: ['T002', 'T003', 'T004'] });
});

test('a target that is no repository is executed in the same way', slow, async () => {
  using project = new ExecuteProject(cheap(goodPlan({ tasks: 2 })), 'folder');
  expect(await project.play({ verify: false })).toEqual({ outcome: 'SUCCESS', ran: ['T001', 'T002'] });
  expect(existsSync(join(project.path, '.git'))).toBe(false);
  expect(project.git('ls-tree', '-r', '--name-only', 'tutti/records/integration')).toContain('record-2.js');
});

test(
  'plans that are not ready, tasks that are unknown or not next, and spoilt files are refused with the next command',
  slow,
  async () => {
    using project = new ExecuteProject();
    using tutti = project.open();
    await ensurePlan(tutti, project.path);
    expect((await project.playIn(tutti, { tasks: ['T009'] })).outcome).toContain("has no task 'T009'");
    expect((await project.playIn(tutti, { tasks: ['T002'] })).outcome).toBe(
      'task T002 needs T001, which is not done',
    );
    project.write(`.tutti/plans/${plan}/tasks/T001.json`, '{');
    expect((await project.playIn(tutti)).outcome).toContain('tasks/T001.json');
    rmSync(join(project.path, `.tutti/plans/${plan}/artifacts/physical-map.json`));
    expect((await project.playIn(tutti)).outcome).toContain('artifacts/physical-map.json');
    expect(project.ledger()).toEqual([]);
  },
);
