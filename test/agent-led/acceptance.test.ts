import { changePlan } from '../../src/app/plan-record/change-plan.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ok } from '../../src/lib/result.ts';
import { taskCompleteForm } from '../../src/model/schemas/plan-output.ts';
import { openTutti } from '../rig/trust.ts';
import { AgentLedProject } from './project.ts';

/** T001 with one more criterion, and its work done by an agent that Tutti did not start. */
async function atWork(verification: string, config = ''): Promise<AgentLedProject> {
  const project = new AgentLedProject();
  if (config !== '') writeFileSync(join(project.path, 'tutti.yaml'), config);
  const criterion = { criterion: 'The command of the test passes', verification };
  await project.toExecuting((task) =>
    task.id === 'T001' ? { ...task, acceptance_criteria: [criterion] } : task,
  );
  await project.done('task', 'start', 'T001');
  project.work('T001');
  return project;
}

async function claim(project: AgentLedProject) {
  const { out } = await project.type('task', 'complete', 'T001', '--json');
  return taskCompleteForm.parse(JSON.parse(out));
}

test('a criterion of an agent-led task is killed after workspace.timeout', async () => {
  using project = await atWork('sleep 600', 'workspace: { timeout: 1s }\n');
  const { status, criteria } = await claim(project);
  expect(status).toBe('running');
  expect(criteria.at(-1)?.evidence).toMatch(/^`sleep 600` timed out after \S+ and was killed$/);
});

test('a criterion of an agent-led task has a name and ports as in a workspace', async () => {
  const verification =
    'test "$TUTTI_WORKSPACE_NAME" = shop-T001-1 && test "$TUTTI_PORT_COUNT" = 20 && test "$TUTTI_PORT_BASE" -ge 20000';
  using project = await atWork(verification);
  expect(await claim(project)).toMatchObject({ status: 'done', verdict: 'PASS' });
});

test('an agent-led task is not judged by a command that a person chose to continue without', async () => {
  using project = await atWork('exit 1');
  const env = { PATH: process.env['PATH'], USER: 'ada', ...project.env };
  const opened = openTutti({ folder: project.path, env, create: false });
  if (!opened.ok) throw new Error(opened.error.message);
  using tutti = opened.value;
  const base = { commit: '0', without: ['exit 1'] };
  await changePlan(tutti, 'shop', (record) => ok({ ...record, base }));
  const { status, criteria } = await claim(project);
  expect(status).toBe('done');
  expect(criteria.at(-1)).toEqual({
    name: 'The command of the test passes',
    status: 'WAIVED',
    evidence: 'not judged: `exit 1` is left out of this plan',
  });
});
