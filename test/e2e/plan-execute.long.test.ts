import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from '../../src/lib/json.ts';
import { until } from '../rig/attempt-rig.ts';
import { complaintsOf, Example, plan, specName, untilAlone } from './example.ts';
import { processesOf } from './project.ts';

const slow = { timeout: 300_000 };
const ids = ['T001', 'T002', 'T003', 'T004', 'T005', 'T006', 'T007'];
const built = [
  'bin/duration-sum.js',
  'package.json',
  ...['format', 'index', 'longest', 'parse', 'sum', 'units'].map((name) => `src/${name}.js`),
  ...['command', 'format', 'index', 'longest', 'parse', 'sum', 'units'].map((name) => `test/${name}.test.js`),
];

test(
  'from a specification to landed work whose own tests pass, with every file valid and nothing done twice',
  slow,
  async () => {
    using example = new Example();
    const asked = await example.tutti('plan', specName, '--new', '--stack', 'plain JavaScript');
    expect(asked.code, asked.stderr).toBe(3);
    expect(asked.stderr).toContain(`tutti plan show --plan ${plan}`);
    expect(asked.stdout).toContain('planned: 7 tasks in 3 phases, READY');
    expect(example.turns()).toEqual(['logical', 'physical', 'definition', 'validation', 'sequencing']);
    const early = await example.tutti('execute');
    expect(early).toMatchObject({ code: 1, stdout: '' });
    expect(early.stderr).toContain(`tutti plan approve --plan ${plan}`);
    expect(await example.done('plan', 'approve')).toContain(`tutti execute --plan ${plan}`);
    const before = example.git('status', '--porcelain', '-uall');
    const out = await example.done('execute');
    expect(out).not.toMatch(/T001\/(begin|bundle|workspace)/);
    expect(out).toContain('✔ T001/accept-1 done');
    expect(example.turns().length).toBe(5 + 2 * ids.length);
    // The operator's checkout is as it was.
    expect(example.git('status', '--porcelain', '-uall')).toBe(before);
    expect(example.git('log', '--format=%s')).toBe('Specification\n');
    expect(await example.done('land')).toContain('merged 15 files of plan tiny-duration into');
    expect(
      example
        .git('ls-files')
        .split('\n')
        .filter((name) => built.includes(name)),
    ).toEqual(built);
    expect(example.git('status', '--porcelain', '-uall')).toBe('');
    expect(
      example.git('log', '--format=%(trailers:key=Tutti-Task,valueonly,separator=)').match(/T\d+/g),
    ).toHaveLength(7);
    expect(example.test()).toMatch(/fail 0/);

    expect(readFileSync(join(example.planDir, 'inputs/spec.md'), 'utf8')).toBe(example.read(specName));
    expect(example.complaints('artifacts/capability-map.json', 'capability-map')).toEqual([]);
    expect(example.complaints('artifacts/physical-map.json', 'physical-map')).toEqual([]);
    expect(example.complaints('reports/task-validation.json', 'task-validation')).toEqual([]);
    expect(example.complaints('state.json', 'plan-state')).toEqual([]);
    for (const id of ids) {
      expect(example.complaints(`tasks/${id}.json`, 'task')).toEqual([]);
      expect(example.complaints(`bundles/${id}-bundle.json`, 'bundle')).toEqual([]);
      expect(example.complaints(`bundles/${id}-result.json`, 'task-result')).toEqual([]);
    }
    expect(readFileSync(join(example.planDir, 'reports/task-validation-report.md'), 'utf8')).toContain(
      'T007',
    );
    expect(readFileSync(join(example.planDir, 'activity.log'), 'utf8')).toMatch(
      /\[orchestrator\] task-complete: T007: \d of \d passed/,
    );

    const sessions = example.sessions();
    expect(sessions).toBe(19);
    expect(await example.done('execute')).toContain('nothing to do');
    const idle = JSON.parse(await example.done('execute', '--json')) as Json;
    expect(complaintsOf(idle, 'execute')).toEqual([]);
    expect(await example.done('plan', specName)).toContain('succeeded');
    expect(await example.done('land')).toContain('has everything that landed already');
    expect([example.sessions(), example.turns().length]).toEqual([sessions, 19]);
    await untilAlone(example.path);
    expect(processesOf(example.path)).toEqual([]);
  },
);

test('the check of files can fail: a state without its phase is complained about', () => {
  expect(complaintsOf({ version: '2.0' }, 'plan-state').length).toBeGreaterThan(0);
});

test('build does both, in a folder without git, and lands there', slow, async () => {
  using example = new Example({ git: false });
  await example.done('build', specName, '--new', '--yes', '--parallel', '2');
  expect(existsSync(join(example.path, 'src'))).toBe(false);
  await example.done('land');
  expect(example.test()).toMatch(/fail 0/);
  expect(existsSync(join(example.path, '.git'))).toBe(false);
  // Done again it goes on from where it stands, which is the end.
  expect((await example.tutti('build', '--yes')).code).toBe(0);
  expect(example.turns().length).toBe(19);
});

test('one task, and those it stands on first', slow, async () => {
  using example = new Example();
  await example.planned();
  const early = await example.tutti('execute', '--task', 'T002');
  expect(early.code).toBe(1);
  expect(early.stderr).toContain('tutti execute --task T001');
  expect((await example.tutti('execute', '--task', 'T009')).code).toBe(64);
  await example.done('execute', '--task', 'T001');
  await example.done('execute', '--task', 'T002');
  expect(example.turns().slice(5)).toEqual(['T001', 'T001/verify', 'T002', 'T002/verify']);
  expect(await example.done('land')).toContain('5 of 7 tasks are not done');
  await example.done('execute', '--batch');
  expect(example.turns().length).toBe(19);
  expect(await example.done('plan', 'status')).toContain(`tutti land --plan ${plan}`);
});

type Way = (example: Example, pid: number) => Promise<unknown>;
const ways: readonly (readonly [string, Way])[] = [
  ['a STOP file', async (example) => writeFileSync(join(example.planDir, 'STOP'), 'lunch\n')],
  ['tutti halt', (example) => example.done('halt', 'lunch')],
  ['tutti halt RUN', (example) => example.done('halt', `${plan}-execute`)],
  ['Ctrl-C', async (_, pid) => process.kill(pid, 'SIGINT')],
];

test.each(ways)('%s: tasks under way finish, nothing new starts, resume goes on', slow, async (_, halt) => {
  using example = new Example({ slow: [1] });
  await example.planned();
  const some = ['T001', 'T002', 'T003'].flatMap((id) => ['--task', id]);
  const { child, ended } = example.start('execute', ...some);
  await until('the first task is at work', () => example.turns().includes('T001'));
  await halt(example, child.pid ?? 0);
  if (halt === ways[3]?.[1]) await until('it was heard', () => existsSync(join(example.planDir, 'STOP')));
  expect(example.complaints('checkpoint.json', 'plan-checkpoint')).toEqual([]);
  example.go();
  const end = await ended;
  expect(end.code, end.stderr + end.stdout).toBe(24);
  // The task that was under way is done to its end, with its verifier; no other has begun.
  expect(example.turns().slice(5)).toEqual(['T001', 'T001/verify']);
  // Who pressed Ctrl-C and types the command again wants it to continue; any other halt is lifted by a resume.
  if (halt === ways[3]?.[1]) {
    await example.done('execute', ...some);
    expect(example.turns().length).toBe(11);
    return;
  }
  const refused = await example.tutti('execute');
  expect(refused.code).toBe(24);
  expect(refused.stderr).toContain(`tutti resume ${plan}`);
  expect((await example.tutti('check-halt')).code).toBe(1);
  await example.done('resume');
  expect(example.turns().length).toBe(11);
  expect(existsSync(join(example.planDir, 'STOP'))).toBe(false);
});

test('Ctrl-C twice stops the agents, and a resume without a name continues the plan', slow, async () => {
  using example = new Example({ slow: [1] });
  await example.planned();
  const { child, ended } = example.start('execute', '--task', 'T001');
  await until('the first task is at work', () => example.turns().includes('T001'));
  process.kill(child.pid ?? 0, 'SIGINT');
  await until('it was heard', () => existsSync(join(example.planDir, 'STOP')));
  process.kill(child.pid ?? 0, 'SIGINT');
  const end = await ended;
  expect(end.code, end.stderr + end.stdout).toBe(20);
  example.go();
  expect(await example.done('resume')).not.toContain('is no longer halted');
  expect(await example.done('task', 'list', '--status', 'done')).toContain('T001');
});

test(
  'a plan in the background: --detach leaves it to a conductor, which ends when it is done',
  slow,
  async () => {
    using example = new Example();
    await example.planned();
    expect(await example.done('execute', '--detach')).toContain('continues in the background');
    const status = () => readFileSync(join(example.planDir, 'state.json'), 'utf8');
    await until('the plan is complete', () => status().includes('"phase": "complete"'));
    await until('the conductor has ended', () => processesOf(example.path).length === 0);
    expect(example.turns().length).toBe(19);
  },
);

test(
  'what execution left behind is what the plan says, and no workspace or branch of the operator',
  slow,
  async () => {
    using example = new Example();
    await example.planned();
    await example.done('execute');
    expect(example.git('branch', '--format=%(refname:short)').trim().split('\n')).toEqual([
      expect.any(String),
      'tutti/tiny-duration/integration',
    ]);
    expect(example.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    const state = join(example.home, '.local/state/tutti');
    const [mark = ''] = readdirSync(state).filter((name) => /^[0-9a-f]{12}$/.test(name));
    // Where work is proven before it lands; no task's workspace.
    expect(readdirSync(join(state, mark, plan, 'work'))).toEqual(['landing']);
    rmSync(join(example.path, '.tutti'), { recursive: true });
  },
);
