import { expect, test } from 'vitest';
import { processesOf } from '../e2e/project.ts';
import { plan, type PayProject } from '../pay/project.ts';
import { LostProject } from '../recovery/real-project.ts';
import { until } from '../rig/attempt-rig.ts';

const run = `${plan}-execute`;

/** A plan whose first task has an agent at work, while the process that advanced the run was killed. */
async function leaveAgent(): Promise<LostProject> {
  const lost = new LostProject();
  expect((await lost.run('plan', 'records.md', '--yes')).code).toBe(0);
  lost.project.forgetTurns();
  await lost.killAt('T001', 'execute');
  return lost;
}

/** The session that works on the task. */
async function sessionAtWork(project: PayProject): Promise<string> {
  const { stdout } = await project.run('session', 'list', '--status', 'RUNNING', '--json');
  return (JSON.parse(stdout.trim().split('\n')[0] ?? '') as { session_id: string }).session_id;
}

async function statusOfTask(project: PayProject, id: string): Promise<string> {
  return (await project.run('task', 'show', id, '--plan', plan)).stdout;
}

const commands = [['retry', '--force'], ['skip', '--force'], ['retry'], ['fail', 'no way']] as const;

test('an agent that outlived the process that advanced its run keeps its task, also from --force', async () => {
  using lost = await leaveAgent();
  const { project } = lost;
  const session = await sessionAtWork(project);
  const before = await statusOfTask(project, 'T001');
  for (const [verb, ...more] of commands) {
    const refused = await project.runAsPerson('task', verb, 'T001', ...more);
    expect(refused.code, refused.stdout).toBe(1);
    expect(refused.stderr).toBe(
      `tutti: session ${session} is working on task T001, and no process advances its run ${run}\n` +
        `  → adopt it: tutti resume ${run}; or end it: tutti stop ${run}, then again: tutti task ${verb} T001\n`,
    );
  }
  expect(await statusOfTask(project, 'T001')).toBe(before);
  expect(await sessionAtWork(project)).toBe(session);
  // The first command that it names keeps what was paid for.
  project.release('T001');
  expect((await project.run('resume', run)).code).toBe(0);
  expect(project.turns().filter((turn) => turn === 'T001')).toEqual(['T001']);
});

test('the second command that the refusal names lets the task be tried again', async () => {
  using lost = await leaveAgent();
  const { project } = lost;
  expect((await project.run('stop', run)).code).toBe(0);
  expect(processesOf(project.path)).toEqual([]);
  const retried = await project.runAsPerson('task', 'retry', 'T001');
  expect(retried.code, retried.stderr).toBe(0);
  expect(retried.stdout).toContain('T001: can be started again');
});

test('control: task retry --force takes a task of a run whose agent is dead too', async () => {
  using lost = await leaveAgent();
  const { project } = lost;
  for (const pid of processesOf(project.path)) process.kill(pid, 'SIGKILL');
  await until('the agent is gone', () => processesOf(project.path).length === 0);
  const retried = await project.runAsPerson('task', 'retry', 'T001', '--force');
  expect(retried.code, retried.stderr).toBe(0);
  expect(retried.stdout).toContain('T001: can be started again');
});

test('a task that an agent of a session began is taken only when the session has ended', async () => {
  using lost = new LostProject();
  const { project } = lost;
  expect((await lost.run('plan', 'records.md', '--yes')).code).toBe(0);
  project.hold('session');
  const created = await lost.run('session', 'create', 'coder', 'prompt.md');
  const session = /Session created: (\S+)/.exec(created.stdout)?.[1] ?? '';
  expect((await lost.run('task', 'start', 'T001', '--as', `session:${session}`)).code).toBe(0);
  const refused = await project.runAsPerson('task', 'retry', 'T001', '--force');
  expect(refused.code, refused.stdout).toBe(1);
  expect(refused.stderr).toBe(
    `tutti: session ${session} is working on task T001\n` +
      `  → end it first: tutti session kill ${session}; then again: tutti task retry T001\n`,
  );
  expect((await lost.run('session', 'kill', session, '--force')).code).toBe(0);
  expect((await project.runAsPerson('task', 'retry', 'T001')).code).toBe(0);
});
