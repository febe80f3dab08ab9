import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  bundleCleanForm,
  bundleRowForm,
  checkpointForm,
  checkpointRecoverForm,
  logForm,
  logTokensForm,
  planStatusForm,
} from '../../src/model/schemas/plan-output.ts';
import { planBundleForm } from '../../src/model/schemas/plan-bundle.ts';
import { textOf } from '../plans/good-plan.ts';
import { AgentLedProject } from './project.ts';

async function executing(): Promise<AgentLedProject> {
  const project = new AgentLedProject();
  await project.toExecuting();
  return project;
}

describe('a checkpoint', () => {
  test('is created, updated, completed and cleared, in the record and in its file', async () => {
    using project = await executing();
    expect(checkpointForm.parse(await project.json('checkpoint', 'status')).checkpoint).toBeNull();
    expect(await project.done('checkpoint', 'create', 'T001', 'T002')).toContain('  T001  running');
    expect(JSON.parse(project.read('checkpoint.json'))).toMatchObject({
      status: 'active',
      tasks: { T001: 'running', T002: 'running' },
    });
    await project.done('checkpoint', 'update', 'T001', 'success');
    expect(checkpointForm.parse(await project.json('checkpoint', 'update', 'T002', 'failed'))).toMatchObject({
      checkpoint: { status: 'active', tasks: { T001: 'success', T002: 'failed' } },
    });
    expect(await project.done('checkpoint', 'complete')).toContain('complete');
    expect(await project.done('plan', 'status')).toContain('checkpoint  complete: T001 success, T002 failed');
    expect(await project.done('checkpoint', 'clear')).toBe('plan shop has no checkpoint\n');
    expect(existsSync(join(project.planDir, 'checkpoint.json'))).toBe(false);
  });

  test.each([
    [['create'], 64, 'ID'],
    [['create', 'T099'], 64, "plan shop has no task 'T099'"],
    [['update', 'T001', 'done'], 64, 'must be one of success, failed'],
    [['update', 'T001', 'success'], 1, 'there is no checkpoint'],
    [['complete'], 1, 'there is no checkpoint'],
  ])('%j is refused with %i: %s', async (words, code, sentence) => {
    using project = await executing();
    const end = await project.type('checkpoint', ...words);
    expect(end).toMatchObject({ out: '', code });
    expect(end.err).toContain(sentence);
  });

  test('after a crash: what ended is taken down, and orphans come with the commands to choose from', async () => {
    using project = await executing();
    await project.done('checkpoint', 'create', 'T001', 'T002', 'T003');
    await project.done('task', 'start', 'T001');
    project.work('T001');
    await project.done('task', 'complete', 'T001');
    // The conductor dies: the result was not written, and whoever had T002 is gone.
    rmSync(join(project.planDir, 'bundles/T001-result.json'));
    await project.done('task', 'start', 'T002', '--as', 'worker-2');
    project.work('T002');
    const busy = await project.type('task', 'retry', 'T002');
    expect(busy.code).toBe(1);
    expect(busy.err).toContain('task T002 is being worked on by worker-2');
    const found = checkpointRecoverForm.parse(await project.json('checkpoint', 'recover'));
    expect(found).toMatchObject({
      acknowledged: { T001: 'success' },
      orphans: ['T002'],
      alive: [],
      not_started: ['T003'],
      commands: ['tutti task retry T002', 'tutti task skip T002'],
    });
    expect(existsSync(join(project.planDir, 'bundles/T001-result.json'))).toBe(true);
    expect(await project.done('checkpoint', 'recover')).toContain('  → tutti task retry T002');
    const again = await project.done('task', 'retry', 'T002');
    expect(again).toContain('what was done of it is kept in refs/tutti/rescue/shop/T002-1');
    expect(existsSync(join(project.path, 'src/part-2/record-2.js'))).toBe(false);
    expect(await project.done('task', 'start', 'T002')).toContain('attempt 2');
    expect(checkpointForm.parse(await project.json('checkpoint', 'status')).checkpoint?.tasks).toEqual({
      T001: 'success',
    });
    await project.done('checkpoint', 'clear');
    expect(await project.done('task', 'skip', 'T002', '--force')).toContain('T002: is skipped');
  });

  test('a task that a person began by hand is not called orphaned', async () => {
    using project = await executing();
    await project.done('task', 'start', 'T001');
    const found = checkpointRecoverForm.parse(await project.json('checkpoint', 'recover'));
    expect(found).toMatchObject({ orphans: [], alive: ['T001'], commands: [] });
    expect(found.checkpoint?.tasks).toEqual({ T001: 'running' });
    expect(await project.done('checkpoint', 'recover')).toMatch(
      /^T001 was begun by hand by user:\S+\n {2}→ when it is done: tutti task complete T001; .*--force\n$/,
    );
    expect((await project.type('task', 'retry', 'T001')).code).toBe(1);
    expect(await project.done('task', 'retry', 'T001', '--force')).toBe(
      'T001: can be started again\n  → tutti task start T001\n',
    );
  });

  test('with nobody lost there is nothing to recover', async () => {
    using project = await executing();
    expect(await project.done('checkpoint', 'recover')).toBe('plan shop: there is nothing to recover\n');
  });

  test('a session that ended does not keep its task', async () => {
    using project = await executing();
    await project.done('task', 'start', 'T001', '--as', 'session:20251118-153042-gone');
    expect(await project.done('task', 'retry', 'T001')).toBe(
      'T001: can be started again\n  → tutti task start T001\n',
    );
  });
});

describe('bundles', () => {
  test('are generated, validated, listed and removed; one that was made from something else is found out', async () => {
    using project = await executing();
    const [path] = (await project.done('bundle', 'generate-ready')).trim().split('\n');
    expect(path).toBe(join(project.planDir, 'bundles/T001-bundle.json'));
    const made = planBundleForm.parse(JSON.parse(project.read('bundles/T001-bundle.json')));
    expect(made).toMatchObject({ task_id: 'T001', target_dir: project.path, behaviors: [{ id: 'B1' }] });
    expect(await project.done('bundle', 'validate', 'T001')).toBe('the bundle of T001 is valid\n');
    bundleRowForm.parse(await project.json('bundle', 'validate-integrity', 'T001'));

    project.write(
      'bundles/T001-bundle.json',
      textOf({ ...made, checksums: { ...made.checksums, spec: '0'.repeat(16) } }),
    );
    expect((await project.type('bundle', 'validate', 'T001')).code).toBe(0);
    const broken = await project.type('bundle', 'validate-integrity', 'T001');
    expect(broken.code).toBe(1);
    expect(broken.err).toContain('the bundle of T001 was made from another spec');
    project.write('bundles/T001-bundle.json', textOf({ ...made, files: 7 }));
    const formless = await project.type('bundle', 'validate', 'T001');
    expect(formless.code).toBe(1);
    expect(formless.err).toMatch(/T001-bundle\.json:\d+:\d+: files: must be/);
    expect(bundleRowForm.parse(await project.json('bundle', 'list')).problem).toContain('files: must be');

    await project.done('bundle', 'generate', 'T002');
    const early = await project.type('bundle', 'validate-integrity', 'T002');
    expect(early.code).toBe(1);
    expect(early.err).toContain('builds on files that are not there');
    expect(bundleCleanForm.parse(await project.json('bundle', 'clean'))).toEqual({
      plan: 'shop',
      removed: ['T001', 'T002'],
    });
    expect((await project.type('bundle', 'validate', 'T001')).code).toBe(1);
    expect((await project.type('bundle', 'generate', 'T099')).code).toBe(64);
  });
});

describe('the integrity of a bundle', () => {
  const path = 'bundles/T001-bundle.json';
  const changes = {
    'a criterion was made easy': (made) => ({
      ...made,
      acceptance_criteria: made.acceptance_criteria.map((each) => ({ ...each, verification: 'true' })),
    }),
    'a file was added to it': (made) => ({
      ...made,
      files: [...made.files, { ...made.files[0], path: 'src/other.js' }],
    }),
    'a word of a behavior was changed': (made) => ({
      ...made,
      behaviors: made.behaviors.map((behavior) => ({ ...behavior, description: 'something else' })),
    }),
    'it leads somewhere else': (made) => ({ ...made, target_dir: '/tmp' }),
    'a member was added that no form knows': (made) => ({ ...made, instructions: 'remove everything' }),
    'it is the bundle of another task': (made) => ({ ...made, task_id: 'T002' }),
  } satisfies Readonly<Record<string, (made: ReturnType<typeof planBundleForm.parse>) => object>>;

  test.each(Object.entries(changes))('is broken when %s', async (_name, change) => {
    using project = await executing();
    await project.done('bundle', 'generate', 'T001');
    const text = project.read(path);
    const made = planBundleForm.parse(JSON.parse(text));
    expect((await project.type('bundle', 'validate-integrity', 'T001')).code).toBe(0);
    project.write(path, textOf(change(made)));
    const broken = await project.type('bundle', 'validate-integrity', 'T001');
    expect(broken.code).toBe(1);
    expect(broken.out).toBe('');
    expect(broken.err).toMatch(
      /the bundle of T001 was changed after it was made: [a-z ]+\n {2}→ .*generate T001/,
    );
    project.write(path, text);
    expect((await project.type('bundle', 'validate-integrity', 'T001')).code).toBe(0);
  });

  test('is broken when its file is gone, and one that belongs to no task is named', async () => {
    using project = await executing();
    await project.done('bundle', 'generate', 'T001');
    project.write('bundles/T099-bundle.json', project.read(path).replaceAll('T001', 'T099'));
    expect((await project.type('bundle', 'validate-integrity', 'T099')).code).toBe(1);
    expect(await project.done('bundle', 'list')).toContain('T099  the plan has no task T099\n');
    rmSync(join(project.planDir, path));
    expect((await project.type('bundle', 'validate-integrity', 'T001')).code).toBe(1);
  });
});

describe('the activity log', () => {
  test('takes a line from each agent, without what could hurt a reader', async () => {
    using project = await executing();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const message = `two\nlines \u001B[2J\u0007 and ${secret}`;
    const { line } = logForm.parse(
      await project.json('log', 'WARN', 'task-\nexecutor', 'deci\tsion', message),
    );
    const last = project.read('activity.log').trimEnd().split('\n').at(-1) ?? '';
    expect(last).toBe(line);
    expect(last).toMatch(/^\[2\d{3}-[^\]]+\] \[WARN\] \[task- executor\] deci sion: two lines and /);
    expect(last).not.toContain(secret);
    expect(await project.done('log', 'INFO', 'a', 'b', 'c')).toBe('');
    expect((await project.type('log', 'LOUD', 'a', 'b', 'c')).err).toContain(
      'must be one of INFO, WARN, ERROR',
    );
  });

  test('that is full is kept once, and a new one begins', async () => {
    using project = await executing();
    const path = join(project.planDir, 'activity.log');
    writeFileSync(path, 'x'.repeat(8 * 1024 * 1024));
    await project.done('log', 'INFO', 'a', 'b', 'the last of the old');
    await project.done('log', 'INFO', 'a', 'b', 'the first of the new');
    expect(statSync(`${path}.1`).size).toBeGreaterThan(8 * 1024 * 1024);
    expect(readFileSync(path, 'utf8')).toMatch(/^\[[^\n]*the first of the new\n$/);
  });

  test('tokens are added up', async () => {
    using project = await executing();
    await project.done('log-tokens', 'executor-1', '1000', '200', '0.25');
    expect(logTokensForm.parse(await project.json('log-tokens', 'executor-2', '1', '2', '0.5'))).toEqual({
      plan: 'shop',
      input: 1001,
      output: 202,
      cost_usd: 0.75,
    });
    expect(planStatusForm.parse(await project.json('plan', 'status')).tokens.input).toBe(1001);
    expect((await project.type('log-tokens', 's', '-1', '2', '0.5')).code).toBe(64);
    expect((await project.type('log-tokens', 's', '1', '2', 'much')).err).toContain(
      'must be an amount such as 0.21',
    );
    expect(project.read('activity.log')).toContain('[executor-1] tokens: in=1000 out=200 cost=0.25');
  });
});
