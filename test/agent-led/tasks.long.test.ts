import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { putAside } from '../../src/app/plans/agent-led/put-aside.ts';
import { runningTask } from '../../src/app/plans/agent-led/required-task.ts';

import { identify } from '../../src/lib/process/identity.ts';
import {
  planStatusForm,
  taskCompleteForm,
  taskFailForm,
  taskReopenForm,
  taskRowForm,
  taskShowForm,
  taskStartForm,
} from '../../src/model/schemas/plan-output.ts';
import { planResultForm } from '../../src/model/schemas/plan-result.ts';
import { textOf } from '../plans/good-plan.ts';
import { AgentLedProject, type HostedOptions } from './project.ts';
import { openTutti } from '../rig/trust.ts';

async function executing(options: HostedOptions = {}): Promise<AgentLedProject> {
  const project = new AgentLedProject(options);
  await project.toExecuting();
  return project;
}

test.each([{ git: true }, { git: false }])(
  'a task is taken, claimed, looked at and done, in a target with %j',
  async (options) => {
    using project = await executing(options);
    expect(await project.done('task', 'ready')).toBe('T001: Keep record 1\n');
    const begun = taskStartForm.parse(await project.json('task', 'start', 'T001', '--as', 'executor-1'));
    expect(begun).toMatchObject({ attempt: 1, by: 'executor-1' });
    const files = project.work('T001');
    const end = await project.type('task', 'complete', 'T001', '--created', ...files, '--json');
    const claim = taskCompleteForm.parse(JSON.parse(end.out));
    expect(end.code).toBe(0);
    expect(claim).toMatchObject({ status: 'done', verdict: 'PASS' });
    expect(claim.criteria).toHaveLength(5);
    const result = planResultForm.parse(JSON.parse(project.read('bundles/T001-result.json')));
    expect(result).toMatchObject({
      status: 'success',
      files: { created: files.toSorted(), modified: [] },
      verification: { verdict: 'PASS' },
      error: null,
    });
    expect(JSON.parse(project.read('state.json'))).toMatchObject({
      phase: 'executing',
      tasks: { T001: { status: 'done' }, T002: { status: 'pending' } },
      execution: { total: 4, done: 1, ready: 1 },
    });
    expect(project.read('activity.log')).toMatch(
      /\[INFO\] \[executor-1\] task-complete: T001: 5 of 5 passed/,
    );
    expect(await project.done('task', 'ready')).toBe('T002: Keep record 2\n');
  },
);

describe('a claim that is not true leaves the task at work, with code 1', () => {
  async function claimed(prepare: (project: AgentLedProject) => void, ...more: readonly string[]) {
    using project = await executing();
    await project.done('task', 'start', 'T001');
    prepare(project);
    const end = await project.type('task', 'complete', 'T001', ...more);
    const shown = taskShowForm.parse(await project.json('task', 'show', 'T001'));
    expect(shown.status).toBe('running');
    expect(end.code).toBe(1);
    expect(existsSync(join(project.planDir, 'bundles/T001-result.json'))).toBe(false);
    expect(project.read('activity.log')).toContain('task-rejected');
    return end.out;
  }

  test('an acceptance criterion fails: its output is shown', async () => {
    const out = await claimed((project) => {
      project.work('T001');
      writeFileSync(
        join(project.path, 'src/part-1/record-1.js'),
        'export const keep = () => 0, show = () => 0;\n',
      );
    });
    expect(out).toContain('  FAIL  All tests of record 1 pass\n');
    expect(out).toContain('`node --test test/part-1/record-1.test.js` ended with exit code 1');
    expect(out).toContain('  PASS  The module exports keep and show for record 1\n');
  });

  test('nothing was done', async () => {
    const out = await claimed(() => undefined, '--created', 'src/part-1/record-1.js');
    expect(out).toContain('nothing changed since the task was started');
    expect(out).toContain('not changed: src/part-1/record-1.js');
  });

  test('a file was written that the task does not declare', async () => {
    const out = await claimed((project) => {
      project.work('T001');
      writeFileSync(join(project.path, 'sneaky.js'), '');
    });
    expect(out).toContain('not declared: sneaky.js');
  });

  test('control: without the sneaky file it is done', async () => {
    using project = await executing();
    await project.done('task', 'start', 'T001');
    project.work('T001');
    expect((await project.type('task', 'complete', 'T001')).code).toBe(0);
  });
});

describe('a claim whose command cannot be run', () => {
  /** T001 with one more criterion; its work is done. */
  async function claimed(verification: string, ...more: readonly string[]) {
    using project = new AgentLedProject();
    const [first] = project.plan.tasks;
    if (first === undefined) throw new Error('the plan has no task');
    const criterion = { criterion: 'The linter finds nothing in the project', verification };
    await project.toExecuting((task) =>
      task.id === first.id
        ? { ...task, acceptance_criteria: [...task.acceptance_criteria, criterion] }
        : task,
    );
    await project.done('task', 'start', 'T001');
    project.work('T001');
    const end = await project.type('task', 'complete', 'T001', ...more);
    const { status } = taskShowForm.parse(await project.json('task', 'show', 'T001'));
    return { ...end, status, log: project.read('activity.log') };
  }

  test('is not rejected, and names the program for a person', async () => {
    const { out, code, status, log } = await claimed('no-such-linter .');
    expect({ code, status }).toEqual({ code: 69, status: 'running' });
    expect(out).toContain(
      'T001: not judged: a command could not be run, which says nothing about the work\n',
    );
    expect(out).toContain('cannot be run: no-such-linter is missing or not executable (exit code 127)');
    expect(out).toContain('→ ask a person to install no-such-linter, then claim it again');
    expect(out).not.toContain('tutti task fail');
    expect(log).toContain('task-unjudged');
    expect(log).not.toContain('task-rejected');
  });

  test('is found in JSON with the command and its program', async () => {
    const { out } = await claimed('exit 126', '--json');
    const claim = taskCompleteForm.parse(JSON.parse(out));
    expect(claim).toMatchObject({ status: 'running', not_run: [{ command: 'exit 126', program: 'exit' }] });
  });

  test('control: one that ends with 1 is rejected', async () => {
    const { out, code, log } = await claimed('exit 1');
    expect(code).toBe(1);
    expect(out).toContain('tutti task fail T001');
    expect(log).toContain('task-rejected');
  });
});

test('what others do meanwhile in the same folder is no work of this task', async () => {
  using project = await executing({ tasks: 8 });
  for (const id of ['T001', 'T002', 'T003', 'T004']) {
    await project.done('task', 'start', id);
    project.work(id);
    await project.done('task', 'complete', id);
  }
  const [one = '', two = ''] = (await project.done('task', 'ready'))
    .split('\n')
    .map((line) => line.slice(0, 4));
  await project.done('task', 'start', one);
  await project.done('task', 'start', two);
  project.work(one);
  project.work(two);
  await project.done('task', 'complete', one);
  const failed = taskFailForm.parse(await project.json('task', 'fail', two, 'no'));
  expect(failed.restored.toSorted()).toEqual(
    project
      .task(two)
      .files.map(({ path }) => path)
      .toSorted(),
  );
  expect(existsSync(join(project.path, project.task(one).files[0]?.path ?? ''))).toBe(true);
});

describe('a task is not started', () => {
  test('before what it needs, twice, when it is unknown', async () => {
    using project = await executing();
    const refused = async (words: readonly string[], code: number, sentence: string): Promise<void> => {
      const end = await project.type('task', ...words);
      expect(end).toMatchObject({ out: '', code });
      expect(end.err).toContain(sentence);
    };
    await refused(['start', 'T002'], 1, 'task T002 needs T001, which is not done');
    await refused(['start', 'T099'], 64, "plan shop has no task 'T099'");
    await refused(['start', '../x'], 64, "plan shop has no task '../x'");
    await refused(['complete', 'T001'], 1, 'task T001 was not started');
    await refused(['fail', 'T001', 'x'], 1, 'task T001 was not started');
    await refused(
      ['fail', 'T001', 'x', '--category', 'mood'],
      64,
      'must be one of dependency, compilation, test',
    );
    await project.done('task', 'start', 'T001', '--as', 'one');
    await refused(['start', 'T001', '--as', 'two'], 1, 'task T001 is being worked on by one');
    await refused(['start', 'T001'], 1, 'task T001 is being worked on by one');
    // Whoever did not hear the answer may ask again.
    expect(await project.done('task', 'start', 'T001', '--as', 'one')).toContain('attempt 1');
    project.work('T001');
    await project.done('task', 'complete', 'T001');
    await refused(['start', 'T001'], 1, 'task T001 is done');
    await refused(['complete', 'T001'], 1, 'task T001 is done already');
    await refused(['skip', 'T001'], 1, 'task T001 is done');
  });
});

describe('a task that is given up', () => {
  test('its files are as they were, its work is in a ref, and its dependents are blocked with the reason', async () => {
    using project = await executing();
    mkdirSync(join(project.path, 'src/part-1'), { recursive: true });
    writeFileSync(join(project.path, 'src/part-1/record-1.js'), 'before\n');
    writeFileSync(join(project.path, 'own.txt'), "the operator's own\n");
    await project.done('task', 'start', 'T001');
    project.work('T001');
    writeFileSync(join(project.path, 'own.txt'), "the operator's own, edited meanwhile\n");
    const end = await project.type(
      'task',
      'fail',
      'T001',
      'no grammar',
      '--category',
      'dependency',
      '--retryable',
      '--json',
    );
    const failed = taskFailForm.parse(JSON.parse(end.out));
    expect(failed).toMatchObject({
      rescue: 'refs/tutti/rescue/shop/T001-1',
      blocked: ['T002', 'T003', 'T004'],
    });
    expect(readFileSync(join(project.path, 'src/part-1/record-1.js'), 'utf8')).toBe('before\n');
    expect(existsSync(join(project.path, 'test/part-1/record-1.test.js'))).toBe(false);
    expect(readFileSync(join(project.path, 'own.txt'), 'utf8')).toBe(
      "the operator's own, edited meanwhile\n",
    );
    expect(JSON.parse(project.read('bundles/T001-result.json'))).toMatchObject({
      status: 'failed',
      error: { category: 'dependency', message: 'no grammar', retryable: true },
      notes: expect.stringContaining('refs/tutti/rescue/shop/T001-1'),
    });
    const status = planStatusForm.parse(await project.json('plan', 'status'));
    expect(status.blocked[0]).toEqual({
      id: 'T002',
      name: 'Keep record 2',
      by: 'T001',
      reason: 'T001 failed: no grammar',
    });
    expect(status.next).toBe('tutti task retry T001');
    expect(await project.done('task', 'list', '--status', 'blocked')).toContain('(T001 failed: no grammar)');
    expect(await project.done('task', 'show', 'T001')).toContain('failed   dependency: no grammar');
    // It can be looked at from the operator's own repository.
    const kept = `${failed.rescue}:src/part-1/record-1.js`;
    const shown = execFileSync('git', ['show', kept], { cwd: project.path, encoding: 'utf8' });
    expect(shown).toContain('export const keep');
    expect(taskReopenForm.parse(await project.json('task', 'retry', 'T001'))).toMatchObject({
      status: 'pending',
    });
    expect(await project.done('task', 'start', 'T001')).toContain('attempt 2');
  });

  test('one that had done nothing leaves no ref', async () => {
    using project = await executing();
    await project.done('task', 'start', 'T001');
    const out = await project.done('task', 'fail', 'T001', 'no idea');
    expect(out).not.toContain('is kept in');
    expect(out).toContain('T001: FAILED - no idea\n');
    expect(out).toContain('blocked now: T002, T003, T004');
  });

  test('one that is skipped blocks what needs it; skipping all of it completes the plan', async () => {
    using project = await executing({ tasks: 2 });
    await project.done('task', 'start', 'T001');
    project.work('T001');
    await project.done('task', 'complete', 'T001');
    expect(await project.done('task', 'skip', 'T002', '--reason', 'nobody wants it')).toBe(
      'T002: is skipped\n',
    );
    expect(await project.done('task', 'show', 'T002')).toContain('skipped  nobody wants it');
    expect(await project.done('plan', 'advance')).toBe('plan shop: executing → complete\n');
    expect((await project.type('plan', 'advance')).code).toBe(1);
    expect(planStatusForm.parse(await project.json('plan', 'status')).next).toBeNull();
    await project.done('task', 'retry', 'T002');
    expect(planStatusForm.parse(await project.json('plan', 'status'))).toMatchObject({
      phase: 'executing',
      next: 'tutti task start T002',
    });
  });
});

test('in a folder without git the work that was put aside is found in the repository of the plan', async () => {
  using project = await executing({ git: false });
  await project.done('task', 'start', 'T001');
  project.work('T001');
  const out = await project.done('task', 'fail', 'T001', 'no');
  const look = /see it: (git --git-dir=\S+ show \S+)/.exec(out)?.[1] ?? '';
  expect(execFileSync('sh', ['-c', `${look}:package.json`], { encoding: 'utf8' })).toContain('module');
});

test('a fail that was killed after it put the work aside still knows where it is', async () => {
  using project = await executing();
  await project.done('task', 'start', 'T001');
  project.work('T001');
  const opened = openTutti({ folder: project.path, env: project.env, create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  using tutti = opened.value;
  const running = await runningTask(tutti, 'shop', 'T001');
  const plan = await tutti.queries.plans.one('shop');
  if (!running.ok || plan === null) throw new Error('it is not at work');
  await putAside(tutti, plan, running.value);
  const failed = taskFailForm.parse(await project.json('task', 'fail', 'T001', 'again'));
  expect(failed.rescue).toBe('refs/tutti/rescue/shop/T001-1');
});

test('files may be named by their absolute paths', async () => {
  using project = await executing();
  await project.done('task', 'start', 'T001');
  const files = project.work('T001').map((path) => join(project.path, path));
  expect((await project.type('task', 'complete', 'T001', '--created', ...files)).code).toBe(0);
});

test("nothing of the operator's git is touched by starting, completing and failing", async () => {
  using project = await executing();
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: project.path, encoding: 'utf8' });
  writeFileSync(join(project.path, 'staged.txt'), 'staged\n');
  git('add', 'staged.txt');
  const seen = (): readonly string[] => [
    git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/stash'),
    git('diff', '--cached'),
    git('status', '--porcelain', 'staged.txt'),
    git('config', '--list', '--local'),
  ];
  const before = seen();
  await project.done('task', 'start', 'T001');
  project.work('T001');
  await project.done('task', 'complete', 'T001');
  await project.done('task', 'start', 'T002');
  project.work('T002');
  await project.done('task', 'fail', 'T002', 'no');
  expect(seen()).toEqual(before);
});

test('an acceptance command leaves no process behind', async () => {
  using project = await executing({ tasks: 2 });
  const mark = join(project.home, 'pid');
  const [first] = project.plan.tasks;
  const criteria = [
    { criterion: 'It starts something that stays', verification: `sleep 600 & echo $! > ${mark}` },
  ];
  project.write('tasks/T001.json', textOf({ ...first, acceptance_criteria: criteria }));
  await project.done('plan', 'load-tasks');
  await project.done('plan', 'validate-tasks', 'READY');
  for (let left = 2; left > 0; left -= 1) await project.done('plan', 'advance');
  await project.done('plan', 'approve');
  await project.done('task', 'start', 'T001');
  project.work('T001');
  await project.done('task', 'complete', 'T001');
  const pid = Number(readFileSync(mark, 'utf8'));
  expect(identify(pid)).toBeNull();
});

test('ready and list print a line for each task', async () => {
  using project = await executing();
  const rows = (await project.done('task', 'list', '--json')).trim().split('\n');
  expect(rows.map((row) => taskRowForm.parse(JSON.parse(row)).status)).toEqual([
    'ready',
    'waiting',
    'waiting',
    'waiting',
  ]);
  expect(taskRowForm.parse(await project.json('task', 'ready'))).toMatchObject({
    task_id: 'T001',
    needs: [],
  });
  rmSync(join(project.planDir, 'state.json'));
  await project.done('rebuild');
  expect(JSON.parse(project.read('state.json'))).toMatchObject({ plan: 'shop' });
});

test('Tab knows the plans and the tasks, and says nothing where there are none', async () => {
  using project = await executing();
  const proposed = async (...words: readonly string[]): Promise<readonly string[]> =>
    (await project.done('__complete', ...words))
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0] ?? '');
  expect(await proposed('plan', 'status', '--plan', 's')).toEqual(['shop']);
  expect(await proposed('task', 'start', 'T00')).toEqual(['T001', 'T002', 'T003', 'T004']);
  expect(await proposed('plan', 'validate', 'ca')).toEqual(['capability_map']);
  using empty = new AgentLedProject();
  expect(await empty.done('__complete', 'task', 'start', 'T')).toBe('');
});

test('a hostile repository runs nothing while tasks are started, completed and failed', async () => {
  using project = await executing();
  const mark = join(project.home, 'ran');
  const evil = join(project.home, 'evil.sh');
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> ${mark}\ncat\n`, { mode: 0o755 });
  const git = (...args: readonly string[]): unknown => execFileSync('git', args, { cwd: project.path });
  git('config', 'core.fsmonitor', evil);
  git('config', 'filter.evil.clean', evil);
  git('config', 'filter.evil.smudge', evil);
  git('config', 'filter.evil.process', evil);
  git('config', 'diff.external', evil);
  for (const hook of ['post-checkout', 'pre-commit', 'post-index-change', 'reference-transaction']) {
    writeFileSync(join(project.path, '.git/hooks', hook), `#!/bin/sh\nexec ${evil} ${hook}\n`, {
      mode: 0o755,
    });
  }
  writeFileSync(join(project.path, '.gitattributes'), '* filter=evil diff=evil\n');
  await project.done('task', 'start', 'T001');
  project.work('T001');
  await project.done('task', 'complete', 'T001');
  await project.done('task', 'start', 'T002');
  project.work('T002');
  await project.done('task', 'fail', 'T002', 'no');
  expect(existsSync(mark)).toBe(false);
  // Control: git itself, asked in that repository, runs them.
  execFileSync('git', ['add', '-A'], { cwd: project.path, stdio: 'ignore' });
  expect(existsSync(mark)).toBe(true);
});
