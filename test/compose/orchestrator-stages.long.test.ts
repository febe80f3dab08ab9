import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { ExecutorProject } from './executor-project.ts';
import { manifestOf, orchestrated, stagesOf } from './orchestrator-project.ts';

const good = (name: string, more: object = {}) => ({
  name,
  args: ['PLAN', `writes:docs/${name}.md succeeds`],
  ...more,
});
const bad = (name: string, more: object = {}) => ({
  name,
  args: ['PLAN', `writes:docs/${name}.md says:STAGE_FAILED:%${name}%cannot`],
  ...more,
});
const run = ['orchestrator', 'two', 'x', '--json', '--run-id', 'r'];

test('a required stage that fails keeps its code, and stages behind it do not run', async () => {
  using project = orchestrated([good('a'), bad('b', { retry: 0 }), good('c')]);
  const end = await project.call(run);
  expect(stagesOf(end)).toEqual(['a success 0', 'b failure 1', 'c not_run -']);
  const { code, summary, message, refinements } = manifestOf(end);
  expect({ code, summary }).toEqual({ code: 1, summary: { total: 3, passed: 1, failed: 1, exit_code: 1 } });
  expect(message).toContain('b cannot');
  expect(refinements).toHaveLength(2);
  for (const path of refinements) expect(project.read(path)).toContain('# Refinement Request');
  // Nothing of the failed stage is left, and everything of the good one.
  expect([project.read('docs/a.md'), project.read('docs/b.md')]).toEqual(['by turn 1\n', '']);
  const status = (await project.call(['status', 'r'])).out;
  expect(status).toContain('two.c');
});

test('an optional stage that fails ends with 12, and what needs it runs', async () => {
  using project = orchestrated([
    good('a'),
    bad('b', { required: false, retry: 0 }),
    good('c', { inputs: ['b'] }),
  ]);
  const end = await project.call(run);
  expect(stagesOf(end)).toEqual(['a success 0', 'b failure 1', 'c success 0']);
  expect(end.code).toBe(12);
  expect(project.noted('prompt-1')).toMatch(/## Stage b \(data\)\n\nStatus: FAILURE: .*b cannot/);
});

test('exit 2 of an optional stage is not absorbed', async () => {
  using project = orchestrated([good('a', { required: false }), good('b')]);
  const end = await project.call([...run, '--max-depth', '0']);
  expect(stagesOf(end)).toEqual(['a failure 2', 'b not_run -']);
  expect(end.code).toBe(2);
});

test('a failed stage is tried again as often as it says, and hears why it failed', async () => {
  using project = orchestrated([bad('a', { retry: 1 }), good('b')]);
  const end = await project.call(run);
  expect(end.code).toBe(1);
  // Two tries, each with two turns that correct it.
  expect(project.begun).toHaveLength(6);
  expect(project.noted('prompt-1')).toContain(
    'This stage was tried before and failed: the agent reports: a cannot',
  );
});

test('work that was not accepted, and nothing that changed, is handed up without another try', async () => {
  const silent = { name: 'a', args: ['PLAN', 'nothing'], retry: 3 };
  using project = orchestrated([silent, good('b')]);
  const end = await project.call(run);
  expect(stagesOf(end)).toEqual(['a failure 11', 'b not_run -']);
  expect(project.begun).toHaveLength(2);
  expect(project.read('.tutti/runs/r/.signals/orch-two.refine')).toContain('needs-refinement');
});

test('independent stages are at work together, and each answers for its own files', async () => {
  const write = (name: string, words: string) => ({ name, args: ['WRITE', words], needs: [], retry: 0 });
  using project = orchestrated([
    {
      ...good('left', { needs: [] }),
      args: ['PLAN', 'writes:docs/left.md waits succeeds names:docs/left.md'],
    },
    write('right', 'writes:docs/right.md waits succeeds names:docs/right.md'),
    write('stray', 'writes:docs/stray.md waits fails'),
    {
      ...good('last', { needs: ['left', 'right'] }),
      args: ['PLAN', 'writes:docs/last.md succeeds names:docs/last.md'],
    },
  ]);
  const running = project.start(...run);
  await expect.poll(() => project.begun.length, { timeout: hangLimitMs }).toBe(3);
  writeFileSync(join(project.outside, 'go'), '');
  const { code, stdout: out, stderr: err } = await running.ended;
  const end = { code: code ?? -1, out, err };
  expect(stagesOf(end)).toEqual(['left success 0', 'right success 0', 'stray failure 1', 'last success 0']);
  // What a stage beside it may have written is not put back.
  expect(project.read('docs/right.md')).toBe('by turn 1\n');
  expect(project.read('docs/left.md')).toBe('by turn 1\n');
});

test('the same run again pays only for what failed, and an edited stage for itself and what stands on it', async () => {
  using project = orchestrated([
    good('a'),
    { name: 'b', args: ['GATED', 'writes:docs/b.md succeeds'], retry: 0 },
    good('c'),
  ]);
  expect(stagesOf(await project.call(run))).toEqual(['a success 0', 'b failure 10', 'c not_run -']);
  expect(project.begun).toHaveLength(4);
  project.write('docs/done.md', 'by a person\n');
  const again = await project.call(run);
  expect(stagesOf(again)).toEqual(['a success 0', 'b success 0', 'c success 0']);
  expect(project.begun).toHaveLength(6);
  expect((await project.call(run)).code).toBe(0);
  expect(project.begun).toHaveLength(6);
  // A stage that is run again and produces the same is enough for those that stand on it.
  expect((await project.call(['resume', 'r', '--step', 'two.c'])).code).toBe(0);
  expect(project.begun).toHaveLength(7);
  // The name of the orchestrator stands for all of its stages.
  expect((await project.call(['resume', 'r', '--step', 'two'])).out).toContain('two.a, two.b, two.c');
  expect((await project.call(['resume', 'r', '--step', 'tw'])).code).toBe(64);
  // Another target is another call of every stage.
  expect((await project.call(['orchestrator', 'two', 'y', '--json', '--run-id', 'r'])).code).toBe(0);
  expect(project.begun).toHaveLength(13);
});

test('kill -9 in the middle repeats no stage that ended', async () => {
  using project = orchestrated([good('a'), { name: 'b', args: ['PLAN', 'writes:docs/b.md waits succeeds'] }]);
  const running = project.start(...run);
  await expect.poll(() => project.begun.length, { timeout: hangLimitMs }).toBe(2);
  running.child.kill('SIGKILL');
  await running.ended;
  writeFileSync(join(project.outside, 'go'), '');
  const end = await project.call(run);
  expect(stagesOf(end)).toEqual(['a success 0', 'b success 0']);
  expect(project.begun).toHaveLength(2);
});

test('with one level left stages that may share a turn share it, and with two they do not', async () => {
  const stages = [
    good('a'),
    good('b', { on_depth: 'compress', compressible: true }),
    good('c', { compressible: true }),
  ];
  using shallow = orchestrated(stages);
  const end = await shallow.call([...run, '--max-depth', '1']);
  expect(stagesOf(end)).toEqual(['a success 0', 'b success 0', 'c success 0']);
  expect(shallow.begun).toHaveLength(2);
  expect(shallow.noted('prompt-1')).toMatch(/\/work PLAN .*b\.md.*\n\/work PLAN .*c\.md/);
  expect(end.err).toContain('no further session');
  using deep = orchestrated(stages);
  expect((await deep.call([...run, '--max-depth', '2'])).code).toBe(0);
  expect(deep.begun).toHaveLength(3);
});

test('a detached run answers at once, and land says that its work is in the folder', async () => {
  using project = orchestrated([good('a'), good('b')]);
  const end = await project.start(...run, '--detach').ended;
  expect(end.code, end.stderr).toBe(0);
  expect(JSON.parse(end.stdout)).toMatchObject({
    status: 'DETACHED',
    run_id: 'r',
    summary: { exit_code: 0 },
  });
  await expect
    .poll(async () => (await project.call(['status', 'r'])).out, { timeout: hangLimitMs })
    .toContain('2 of 2 done');
  const landed = await project.call(['land', 'r']);
  expect([landed.code, landed.out]).toEqual([
    0,
    `run r worked in ${project.path} itself: there is nothing to merge\n`,
  ]);
  expect((await project.call(['land', 'r', '--json'])).out).toContain('"in-place"');
  expect((await project.call(['land', 'nobody'])).code).toBe(64);
  expect((await project.call(['land', 'r', '--plan', 'x'])).code).toBe(64);
});

test('the built-in orchestrators run with agents that only write files', async () => {
  using project = new ExecutorProject();
  // Words of the target are what the agents obey.
  const words = 'writes:docs/report.md succeeds summary:found';
  for (const line of [
    ['ospec', 'lean', words],
    ['oresearch', `${words} names:docs/report.md`],
  ]) {
    const end = await project.call(['orchestrator', ...line, '--json']);
    expect([end.code, ...stagesOf(end)].join('\n')).not.toContain('failure');
    expect(manifestOf(end).summary.passed).toBe(manifestOf(end).summary.total);
  }
  expect(project.begun).toHaveLength(5 + 4);
  expect(project.begun.map((line) => /tier (\w+)/.exec(line)?.[1])).toEqual([
    'medium',
    'high',
    'medium',
    'high',
    'low',
    'medium',
    'medium',
    'medium',
    'medium',
  ]);
});
