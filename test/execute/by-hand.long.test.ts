import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { completeTask } from '../../src/app/plans/agent-led/complete-task.ts';
import { retryTask } from '../../src/app/plans/agent-led/reopen-task.ts';
import { startTask } from '../../src/app/plans/agent-led/start-task.ts';
import { factsOfPlan } from '../../src/app/plans/facts-of-plan.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { cheap, ensurePlan, ExecuteProject, plan, projectEnv, runId } from './project.ts';

const slow = { timeout: 300_000 };
const integration = 'tutti/records/integration';

function operatorGit(project: ExecuteProject, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: project.path, env: projectEnv(project.path), encoding: 'utf8' });
}

/** Everything of the operator's that must stay as it is. */
function operatorsOwn(project: ExecuteProject): string {
  return [
    operatorGit(project, 'status', '--porcelain', '--untracked-files=all'),
    operatorGit(project, 'for-each-ref', 'refs/heads/main', 'refs/stash'),
    operatorGit(project, 'ls-files', '--stage'),
  ].join('\n');
}

/** What an agent in the operator's own folder does. */
async function byHand(
  tutti: Tutti,
  project: ExecuteProject,
  id: string,
  text = `keep and show, by hand, of ${id}\n`,
): Promise<void> {
  const found = await ensurePlan(tutti, project.path);
  const begun = await startTask(tutti, found, id, { by: 'ada', isOne: true });
  if (!begun.ok) throw new Error(begun.error.message);
  for (const { path } of begun.value.task.files) {
    mkdirSync(dirname(join(project.path, path)), { recursive: true });
    writeFileSync(join(project.path, path), text);
  }
  const completed = await completeTask(tutti, found, id, { created: [], modified: [] });
  if (!completed.ok) throw new Error(completed.error.message);
  if (completed.value.at !== 'done') throw new Error(JSON.stringify(completed.value.verification));
}

async function messageOf(tutti: Tutti): Promise<string> {
  const state = (await tutti.queries.run(runId))?.state;
  return state?.at === 'ended' ? (state.failure?.message ?? '') : '';
}

test('a file of a task that is done by hand is in the way of nothing, also before the task is complete', async () => {
  using project = new ExecuteProject(cheap(goodPlan({ tasks: 4 })));
  using tutti = project.open();
  const found = await ensurePlan(tutti, project.path);
  const touched = async (path: string): Promise<boolean> => {
    const sources = { specText: '', sequenced: true };
    return (await factsOfPlan(tutti.queries, found.plan, found.paths, sources)).touched(path);
  };
  const [first, second] = project.documents.tasks.map(({ files }) => files[0]?.path ?? '');
  expect(await touched(first ?? '')).toBe(false);
  const begun = await startTask(tutti, found, 'T001', { by: 'ada', isOne: true });
  expect(begun.ok).toBe(true);
  expect([await touched(first ?? ''), await touched(second ?? '')]).toEqual([true, false]);
});

test.each(['git', 'folder'] as const)(
  'what was done by hand is on the integration branch before what stands on it begins, in a %s target',
  slow,
  async (kind) => {
    using project = new ExecuteProject(cheap(goodPlan({ tasks: 4 })), kind);
    using tutti = project.open();
    // The branch is there before anything is done by hand: it does not begin with it.
    await project.playIn(tutti, { tasks: ['T001'], verify: false });
    const [, second] = project.documents.tasks;
    if (second === undefined) throw new Error('there is no T002');
    const found = await ensurePlan(tutti, project.path);
    const early = await startTask(tutti, found, 'T002', { by: 'ada', isOne: true });
    expect(early).toMatchObject({
      ok: false,
      error: {
        message: 'what T001 made is on the integration branch',
        hint: expect.stringContaining('tutti land'),
      },
    });
  },
);

test('work by hand: one commit a task, with the files of the task and nothing else', slow, async () => {
  using project = new ExecuteProject();
  using tutti = project.open();
  await ensurePlan(tutti, project.path);
  await byHand(tutti, project, 'T001');
  await byHand(tutti, project, 'T002');
  project.write('mine.txt', 'the operator is at something else\n');
  const before = operatorsOwn(project);
  const played = await project.playIn(tutti, { verify: false });
  expect(played).toEqual({ outcome: 'SUCCESS', ran: ['T003', 'T004'] });
  const log = project
    .git(
      'log',
      '--reverse',
      '--format=%p %(trailers:key=Tutti-Task,valueonly,separator=) %(trailers:key=Tutti-Agent,valueonly,separator=)',
      integration,
    )
    .trim()
    .split('\n');
  expect(log).toEqual([
    expect.stringMatching(/^\w+ T001 ada$/),
    expect.stringMatching(/^\w+ T002 ada$/),
    expect.stringMatching(/^\w+ T003 task-executor$/),
    expect.stringMatching(/^\w+ T004 task-executor$/),
  ]);
  const files = project
    .git('diff-tree', '--no-commit-id', '--name-only', '-r', `${integration}~3`)
    .trim()
    .split('\n');
  expect(files.toSorted()).toEqual(
    (project.documents.tasks[0]?.files ?? []).map(({ path }) => path).toSorted(),
  );
  expect(project.git('ls-tree', '-r', '--name-only', integration)).not.toContain('mine.txt');
  expect(operatorsOwn(project)).toBe(before);
  expect(project.read(`.tutti/plans/${plan}/activity.log`)).toContain('take-over: T001: done by hand by ada');
  const notes = (await tutti.queries.events(runId, 0)).flatMap(({ event }) =>
    event.type === 'note' ? [event] : [],
  );
  expect(notes).toMatchObject([{ name: 'taken-over', data: ['T001', 'T002'] }]);
  // Again, there is nothing to take, and nothing to launch.
  const tip = project.git('rev-parse', integration);
  expect(await project.playIn(tutti, { verify: false })).toEqual({ outcome: 'SUCCESS', ran: [] });
  expect(project.git('rev-parse', integration)).toBe(tip);
});

test('a file that changed since the task was completed is no part of a silent mix', slow, async () => {
  using project = new ExecuteProject();
  using tutti = project.open();
  await ensurePlan(tutti, project.path);
  await byHand(tutti, project, 'T001');
  const path = project.documents.tasks[0]?.files.at(-1)?.path ?? '';
  const accepted = project.read(path);
  project.write(path, 'keep something else\n');
  const refused = await project.playIn(tutti, { verify: false });
  expect(refused).toEqual({ outcome: 'NEEDS_ESCALATION', ran: [] });
  expect(await messageOf(tutti)).toContain(`T001 was done by hand, and ${path} changed since`);
  expect(await messageOf(tutti)).toContain('tutti task retry T001');
  expect(project.git('log', '--format=%s', integration).trim()).toBe('begin');
  // Control: as it was accepted, it is taken.
  project.write(path, accepted);
  expect((await project.playIn(tutti, { verify: false })).outcome).toBe('SUCCESS');
});

test(
  'what does not pass on the integration branch is not taken; done again there, the plan goes on',
  slow,
  async () => {
    const documents = cheap(goodPlan({ tasks: 4 }));
    const [first, ...others] = documents.tasks;
    if (first === undefined) throw new Error('there is no task');
    const proof = { criterion: 'The operator has a note', verification: 'grep -q yes mine.txt' };
    const tasks = [{ ...first, acceptance_criteria: [...first.acceptance_criteria, proof] }, ...others];
    using project = new ExecuteProject({ ...documents, tasks });
    using tutti = project.open();
    await ensurePlan(tutti, project.path);
    // It passes in the operator's folder only, by a file that is no part of the task.
    project.write('mine.txt', 'yes\n');
    await byHand(tutti, project, 'T001');
    expect(await project.playIn(tutti, { verify: false })).toEqual({ outcome: 'NEEDS_ESCALATION', ran: [] });
    expect(await messageOf(tutti)).toContain(
      "on the integration branch 'The operator has a note' of T001 does not pass",
    );
    expect(project.git('log', '--format=%s', integration).trim()).toBe('begin');
    const found = await ensurePlan(tutti, project.path);
    await retryTask(tutti, found, 'T001', { force: false });
    project.rules({ T001: { also: { 'mine.txt': 'yes\n' } } });
    const again = await project.playIn(tutti, { verify: false, undeclared: 'accept' });
    expect(again).toEqual({ outcome: 'SUCCESS', ran: ['T001', 'T002', 'T003', 'T004'] });
  },
);

test(
  'what was committed before the first execute is there already: nothing is taken twice',
  slow,
  async () => {
    using project = new ExecuteProject();
    using tutti = project.open();
    await ensurePlan(tutti, project.path);
    await byHand(tutti, project, 'T001');
    operatorGit(project, 'add', '-A');
    operatorGit(project, 'commit', '-qm', 'by hand');
    expect((await project.playIn(tutti, { verify: false })).ran).toEqual(['T002', 'T003', 'T004']);
    expect(project.git('log', '--format=%s', integration).trim().split('\n')).toHaveLength(5);
  },
);
