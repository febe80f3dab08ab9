import { changeTask } from '../../src/app/plan-record/change-plan.ts';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { orphansOf } from '../../src/app/plans/executing/orphans.ts';
import { completeTask } from '../../src/app/plans/agent-led/complete-task.ts';
import { startTask } from '../../src/app/plans/agent-led/start-task.ts';
import { resumeRun } from '../../src/app/runs/control.ts';
import { runStatus } from '../../src/app/status/run-status.ts';
import { workflows } from '../../src/app/workflows.ts';
import { startTask as started } from '../../src/model/plan/work-on-task.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { cheap, ensurePlan, ExecuteProject, plan, runId, submit } from './project.ts';

const slow = { timeout: 300_000 };
const one = cheap(goodPlan({ tasks: 2 }));

function only(criteria: readonly string[]) {
  const tasks = one.tasks.map((task) => ({
    ...task,
    acceptance_criteria: criteria.map((verification) => ({
      criterion: 'The work is there and it holds',
      verification,
    })),
  }));
  return { ...one, tasks };
}

/** What is left of checkouts. */
function workspaces({ path }: ExecuteProject): readonly string[] {
  const state = join(dirname(path), 'state', 'tutti');
  return readdirSync(state).flatMap((mark) => {
    const work = join(state, mark, plan, 'work');
    return existsSync(work) ? readdirSync(work).filter((name) => !name.startsWith('landing')) : [];
  });
}

test('what an acceptance command leaves lying does not land', slow, async () => {
  using project = new ExecuteProject(only(['echo junk > report.xml; test -d src']));
  expect(await project.play({ tasks: ['T001'], verify: false })).toMatchObject({ outcome: 'SUCCESS' });
  const landed = project.git('ls-tree', '-r', '--name-only', 'tutti/records/integration');
  expect(landed).toContain('src/part-1/record-1.js');
  expect(landed).not.toContain('report.xml');
});

test(
  'work that was changed after it was judged does not land: neither by a command nor by the verifier',
  slow,
  async () => {
    using changed = new ExecuteProject(only(['echo more >> src/part-1/record-1.js']));
    expect((await changed.play({ tasks: ['T001'], verify: false })).outcome).toBe('NEEDS_ESCALATION');
    expect(changed.git('log', '--format=%s', 'tutti/records/integration').trim()).toBe('begin');
    expect(JSON.stringify(changed.json('bundles/T001-result.json'))).toContain(
      "; the command of the criterion 'The work is there and it holds' changed src/part-1/record-1.js",
    );
    using tampered = new ExecuteProject(one);
    tampered.rules({ 'T001/verify': { tampers: 'src/part-1/record-1.js' } });
    expect(await tampered.play({ tasks: ['T001'] })).toEqual({
      outcome: 'SUCCESS',
      ran: ['T001', 'T001/verify', 'T001/verify-again'],
    });
    expect(tampered.json('bundles/T001-result.json')).toMatchObject({
      status: 'success',
      notes: expect.stringContaining(
        'files changed while the verifier judged, and were restored: src/part-1/record-1.js',
      ),
    });
    const landed = tampered.git('show', 'tutti/records/integration:src/part-1/record-1.js');
    expect(landed).not.toContain('what the verifier likes better');
  },
);

test(
  'an agent that works in the checkout instead of its workspace is told so, with the files',
  slow,
  async () => {
    using project = new ExecuteProject(one);
    project.write('src/part-1/.keep', '');
    project.rules({ T001: { nothing: true, touch: 'src/part-1/record-1.js' } });
    await project.play({ tasks: ['T001'], verify: false });
    expect(project.json('bundles/T001-result.json')).toMatchObject({
      error: {
        message: expect.stringContaining(
          'nothing was changed in the working directory, but your own checkout differs in src/part-1/record-1.js: if the agent',
        ),
      },
    });
  },
);

test(
  'a task that fails again after a resume has the outcome of its verdict, as its run has',
  slow,
  async () => {
    using project = new ExecuteProject(one);
    project.rules({ T001: { nothing: true } });
    using tutti = project.open();
    const outcomes = async () => {
      const status = await runStatus(tutti, workflows, runId);
      return [status?.outcome, status?.steps.find(({ id }) => id === 'T001')?.outcome];
    };
    await project.playIn(tutti, { tasks: ['T001'], verify: false });
    expect(await outcomes()).toEqual(['NEEDS_ESCALATION', 'NEEDS_ESCALATION']);
    expect(await resumeRun(tutti, runId, [])).toMatchObject({ ok: true });
    await project.advance(tutti);
    expect(await outcomes()).toEqual(['NEEDS_ESCALATION', 'NEEDS_ESCALATION']);
  },
);

test('a link that leads out of the project is told to its agent, and does not land', slow, async () => {
  using project = new ExecuteProject(one);
  project.rules({ T001: { linkOut: 'src/secrets' } });
  const played = await project.play({ tasks: ['T001'], verify: false });
  expect(played.outcome).not.toBe('SUCCESS');
  expect(played.ran).toContain('T001/heal-1');
  expect(project.git('log', '--format=%s', 'tutti/records/integration').trim()).toBe('begin');
});

test(
  'a workspace is prepared as the configuration says; one that cannot be is closed, and its task has failed',
  slow,
  async () => {
    using project = new ExecuteProject(only(['test -f prepared && test "$TUTTI_PORT_BASE" -gt 0']));
    const config = parse(project.read('tutti.yaml')) as object;
    const prepare = (setup: readonly string[]) => {
      project.write('tutti.yaml', stringify({ ...config, workspace: { setup: [setup] } }));
    };
    prepare(['sh', '-c', 'echo cannot; exit 3']);
    const failed = await project.play({ tasks: ['T001'], verify: false }, () => 'fail');
    expect(failed).toMatchObject({ outcome: 'NEEDS_ESCALATION', ran: [] });
    expect(project.json('bundles/T001-result.json')).toMatchObject({
      error: { message: expect.stringContaining('cannot') },
    });
    expect(workspaces(project)).toEqual([]);
    prepare(['sh', '-c', 'touch prepared']);
    // What preparing leaves is nobody's work: it is not asked about, and does not land.
    const accepted = await project.play({ tasks: ['T001'], verify: false });
    expect(accepted.outcome).toBe('SUCCESS');
    expect(project.git('ls-tree', '-r', '--name-only', 'tutti/records/integration')).not.toContain(
      'prepared',
    );
  },
);

test('tasks that are said to be at work with nobody there are found, and whose they are', slow, async () => {
  using project = new ExecuteProject(one);
  using tutti = project.open();
  await ensurePlan(tutti, project.path);
  expect(await orphansOf(tutti, plan)).toEqual([]);
  const begin = (by: string) => ({ by, since: 1, snapshot: null });
  await changeTask(tutti, plan, 'T001', ({ state }) => started(state, begin('session:gone')));
  expect(await orphansOf(tutti, plan)).toEqual([{ id: 'T001', by: 'session:gone', of: 'agent' }]);
  // A name tells nothing about who is there.
  await changeTask(tutti, plan, 'T002', ({ state }) => started(state, begin('somebody')));
  expect(await orphansOf(tutti, plan)).toHaveLength(1);
});

test(
  'a part that failed on the host and not in the task is done over when the plan is executed again',
  slow,
  async () => {
    using project = new ExecuteProject(one);
    using tutti = project.open();
    const { paths } = await ensurePlan(tutti, project.path);
    expect(await submit(tutti, { verify: false })).toBeNull();
    rmSync(paths.activity, { force: true });
    mkdirSync(paths.activity);
    const failed = await project.advance(tutti);
    expect(failed).toMatchObject({ outcome: 'FAILURE', ran: [] });
    expect((await tutti.queries.plans.task(plan, 'T001'))?.state.at).toBe('running');
    rmSync(paths.activity, { recursive: true });
    expect(await project.playIn(tutti, { verify: false })).toEqual({
      outcome: 'SUCCESS',
      ran: ['T001', 'T002'],
    });
  },
);

test('what a hosted agent did in the folder itself is there for tasks in workspaces', slow, async () => {
  using project = new ExecuteProject(only(['test -f package.json && test -d src']));
  using tutti = project.open();
  const found = await ensurePlan(tutti, project.path);
  expect(await startTask(tutti, found, 'T001', { by: 'agent-7', isOne: true })).toMatchObject({ ok: true });
  const files = project.documents.tasks[0]?.files.map(({ path }) => path) ?? [];
  for (const path of files) project.write(path, 'export const keep = 1; // show\n');
  const claim = { created: files, modified: [] };
  expect(await completeTask(tutti, await ensurePlan(tutti, project.path), 'T001', claim)).toMatchObject({
    value: { at: 'done' },
  });
  expect(await project.playIn(tutti, { verify: false })).toEqual({ outcome: 'SUCCESS', ran: ['T002'] });
  const log = project.git('log', '--reverse', '--format=%s', 'tutti/records/integration').trim().split('\n');
  expect(log).toEqual(['begin', 'T001: Keep record 1', 'T002: Keep record 2']);
  expect(await project.playIn(tutti, { verify: false })).toEqual({ outcome: 'SUCCESS', ran: [] });
});
