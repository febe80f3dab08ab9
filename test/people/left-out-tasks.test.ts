import { expect, test } from 'vitest';
import { cli } from '../cli/rig.ts';
import { AgentLedProject } from '../agent-led/project.ts';

/** What an agent types in the project. */
function asAgent({ path, env }: AgentLedProject, ...words: readonly string[]) {
  const agent = { ...env, TUTTI_SESSION_ID: '20250101-000000-coder', TUTTI_RUN_ID: 'shop-execute' };
  return cli({ folder: path, env: agent, stdin: '' }, ...words);
}

test('an agent does not skip a task; the record says which person did', async () => {
  using project = new AgentLedProject({ tasks: 2 });
  await project.toExecuting();
  const refused = await asAgent(project, 'task', 'skip', 'T002', '--reason', 'a person said so');
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('only a person may leave out') });
  expect(await project.done('task', 'show', 'T002')).not.toContain('skipped');
  await project.done('task', 'skip', 'T002');
  expect(await project.done('task', 'show', 'T002')).toMatch(/skipped {2}user:\S+ decided so/);
  expect(await project.done('session', 'audit', '--event', 'decision')).toContain('skip task T002');
});

test('an agent does not take a task from the one who works on it', async () => {
  using project = new AgentLedProject({ tasks: 2 });
  await project.toExecuting();
  await project.done('task', 'start', 'T001');
  const refused = await asAgent(project, 'task', 'retry', 'T001', '--force');
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('have work discarded') });
  expect(await project.done('task', 'list')).toMatch(/^T001 {2}running/m);
  await project.done('task', 'retry', 'T001', '--force');
  // What no process works on is open to agents, as before.
  expect((await asAgent(project, 'task', 'start', 'T001')).code).toBe(0);
});

test('an agent that works for a run of the plan registers no verdict on it', async () => {
  using project = new AgentLedProject({ tasks: 2 });
  await project.toExecuting();
  const refused = await asAgent(project, 'plan', 'validate-tasks', 'READY', 'all is well');
  expect(refused).toMatchObject({
    code: 64,
    err: expect.stringContaining('reads verdicts from results alone'),
  });
});

test('an agent does not have finished work done again, or a task that a person skipped', async () => {
  using project = new AgentLedProject({ tasks: 2 });
  await project.toExecuting();
  await project.done('task', 'start', 'T001');
  await project.done('task', 'complete', 'T001', '--created', ...project.work('T001'));
  await project.done('task', 'skip', 'T002');
  for (const id of ['T001', 'T002']) {
    const refused = await asAgent(project, 'task', 'retry', id);
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('have work discarded') });
  }
  expect(await project.done('task', 'list')).toMatch(/^T001 {2}done[^]*^T002 {2}skipped/m);
  expect(await project.done('session', 'audit', '--event', 'decision')).toContain(
    'Decision refused: waive (do task T001 of plan shop again, which is done)',
  );
  // A person may, and what failed is open to agents: executing would try it again anyway.
  await project.done('task', 'retry', 'T001');
  await project.done('task', 'start', 'T001');
  await project.done('task', 'fail', 'T001', 'no way');
  expect((await asAgent(project, 'task', 'retry', 'T001')).code).toBe(0);
});
