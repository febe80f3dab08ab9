import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until, untilExists } from '../rig/attempt-rig.ts';
import { hangLimitMs } from '../rig/hang-limit.ts';
import { ExecutorProject } from './executor-project.ts';

const limit = { timeout: hangLimitMs };
const twoFiles = 'writes:docs/a.md waits writes:docs/b.md succeeds';

/** A call whose agent has begun. */
async function begin(project: ExecutorProject) {
  const started = project.start('executor', 'work', 'WRITE', twoFiles, '--run-id', 'held');
  await until('the agent has begun', () => project.read('docs/a.md') !== '');
  return started;
}

/** Of files that the agent wrote, may not write, and did not see. Later than the last breath of a turn. */
async function edit(project: ExecutorProject): Promise<void> {
  await pause(1500);
  for (const name of ['docs/a.md', 'README.md', 'mine.txt']) project.write(name, 'by a person\n');
}

function expectAccepted(project: ExecutorProject, turns: number): void {
  expect(project.begun).toHaveLength(turns);
  expect(['README.md', 'mine.txt'].map((name) => project.read(name))).toEqual([
    'by a person\n',
    'by a person\n',
  ]);
  expect(project.read('docs/a.md')).toContain('by a person\n');
  expect(project.read('docs/b.md')).not.toBe('');
}

test('edits between a stop and a resume are not blamed on the agent', limit, async () => {
  using project = new ExecutorProject();
  const held = await begin(project);
  expect((await project.call(['stop', 'held'])).code).toBe(0);
  await held.ended;
  await edit(project);
  project.write('../outside/go', '');
  expect(await project.call(['resume', 'held'])).toMatchObject({ code: 0 });
  expectAccepted(project, 2);
});

test('nor are edits after a turn that ended while no process advanced the run', limit, async () => {
  using project = new ExecutorProject();
  const held = await begin(project);
  held.child.kill('SIGKILL');
  await held.ended;
  project.write('../outside/go', '');
  const sessions = join(project.path, '.tutti/sessions');
  const [session = ''] = readdirSync(sessions);
  await untilExists(join(sessions, session), 'exit');
  await edit(project);
  expect(await project.call(['resume', 'held'])).toMatchObject({ code: 0 });
  expectAccepted(project, 1);
});

test(
  'control: what the agent itself wrote where it may not is blamed on it after a stop too',
  limit,
  async () => {
    using project = new ExecutorProject();
    const more = `writes:README.md ${twoFiles} then succeeds`;
    const held = project.start('executor', 'work', 'WRITE', more, '--run-id', 'held');
    await until('the agent has begun', () => project.read('docs/a.md') !== '');
    expect((await project.call(['stop', 'held'])).code).toBe(0);
    await held.ended;
    project.write('../outside/go', '');
    expect((await project.call(['resume', 'held'])).code).not.toBe(0);
    expect(project.read('README.md')).toBe('as it was\n');
  },
);

test(
  'what another call wrote in the same folder meanwhile is neither blamed on a call nor put back',
  limit,
  async () => {
    using project = new ExecutorProject();
    const held = await begin(project);
    const other = await project.work('PLAN', 'writes:other.txt succeeds', '--run-id', 'other');
    expect(other.code, other.err).toBe(0);
    project.write('../outside/go', '');
    expect(await held.ended).toMatchObject({ code: 0 });
    expect([project.begun.length, project.read('other.txt')]).toEqual([2, 'by turn 1\n']);
  },
);

/** A call that must not be accepted, and another one that ends while it waits. */
async function playBoth(project: ExecutorProject, words: string, other: 'PLAN' | 'WRITE'): Promise<void> {
  const held = project.start('executor', 'work', 'WRITE', words, '--run-id', 'held');
  await until('the agent has begun', () => project.read('docs/a.md') !== '');
  expect((await project.work(other, 'writes:docs/other.md succeeds')).code).toBe(0);
  project.write('../outside/go', '');
  expect((await held.ended).code).not.toBe(0);
}

test('the work of a call that is given up is put back, and that of another one stays', limit, async () => {
  using project = new ExecutorProject();
  await playBoth(project, 'writes:docs/a.md waits fails', 'PLAN');
  expect([project.read('docs/a.md'), project.read('docs/other.md')]).toEqual(['', 'by turn 1\n']);
});

test(
  'control: a file that the other call may not write is blamed on the only one that was there',
  limit,
  async () => {
    using project = new ExecutorProject();
    await playBoth(project, 'writes:README.md writes:docs/a.md waits succeeds then succeeds', 'WRITE');
    expect(project.read('README.md')).toBe('as it was\n');
  },
);

test('a folder that became a file is judged like any other change', limit, async () => {
  using project = new ExecutorProject({ files: { 'old/a.txt': 'a\n' } });
  const { code, err } = await project.work('WRITE', 'removes:old/a.txt empties:old writes:old succeeds');
  expect(code, err).toBe(10);
  expect(project.read('old/a.txt')).toBe('a\n');
});
