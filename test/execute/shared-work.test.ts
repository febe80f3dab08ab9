import { beforeEach, expect, test, vi } from 'vitest';
import { completeTask } from '../../src/app/plans/agent-led/complete-task.ts';
import { startTask } from '../../src/app/plans/agent-led/start-task.ts';
import type * as beginning from '../../src/app/plans/work/begin-task.ts';
import type * as ending from '../../src/app/plans/work/end-task.ts';
import type { Tutti } from '../../src/app/tutti.ts';
import { recorded } from '../../src/lib/json.ts';
import { err } from '../../src/lib/result.ts';
import type * as command from '../../src/model/command.ts';
import { AmendProject, agentStep } from '../amend/project.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { cheap, ensurePlan, ExecuteProject, plan } from './project.ts';

/** What is planted in place of the one implementation. */
const planted = vi.hoisted(() => ({ verdict: false, begin: false, end: false }));

vi.mock('../../src/model/command.ts', async (original) => {
  const real = await original<typeof command>();
  const judgeCommand: typeof real.judgeCommand = (end) =>
    planted.verdict ? { problem: 'exit', words: 'has a planted verdict' } : real.judgeCommand(end);
  return { ...real, judgeCommand };
});

vi.mock('../../src/app/plans/work/begin-task.ts', async (original) => {
  const real = await original<typeof beginning>();
  const beginTask: typeof real.beginTask = async (...args) =>
    planted.begin ? err('has a planted begin') : real.beginTask(...args);
  return { ...real, beginTask };
});

vi.mock('../../src/app/plans/work/end-task.ts', async (original) => {
  const real = await original<typeof ending>();
  const endTask: typeof real.endTask = async (...args) =>
    planted.end ? err('has a planted end') : real.endTask(...args);
  return { ...real, endTask };
});

beforeEach(() => {
  Object.assign(planted, { verdict: false, begin: false, end: false });
});

const documents = cheap(goodPlan({ tasks: 2 }));

/** How a gate of a flow ends whose command passes. */
async function gateOfFlow(): Promise<string> {
  using project = new AmendProject();
  const gates = [{ command: ['true'] }];
  return (await project.play([agentStep('writes', [], 'SAY draft', { gates, retry: { max: 0 } })])).outcome;
}

/** How a task ends whose criterion passes, in a plan that Tutti runs. */
async function taskOfTutti(): Promise<string> {
  using project = new ExecuteProject(documents);
  return (await project.play({ tasks: ['T001'], verify: false })).outcome;
}

/** What becomes of the same task in the hands of an agent that Tutti did not start. */
async function taskOfAgent(): Promise<string> {
  using project = new ExecuteProject(documents);
  using tutti = project.open();
  return await conducted(project, tutti);
}

async function conducted(project: ExecuteProject, tutti: Tutti): Promise<string> {
  const found = await ensurePlan(tutti, project.path);
  const started = await startTask(tutti, found, 'T001', { by: 'agent', isOne: true });
  if (!started.ok) return started.error.message;
  for (const { path } of started.value.task.files) project.write(path, 'keep\n');
  const claim = await completeTask(tutti, found, 'T001', { created: [], modified: [] });
  return claim.ok ? claim.value.at : claim.error.message;
}

test('a command passes or not by one verdict: for a gate of a flow, a task of Tutti and a task of an agent', async () => {
  const ends = async () => [await gateOfFlow(), await taskOfTutti(), await taskOfAgent()];
  expect(await ends()).toEqual(['SUCCESS', 'SUCCESS', 'done']);
  planted.verdict = true;
  expect(await ends()).toEqual(['FAILURE', 'NEEDS_ESCALATION', 'rejected']);
});

test('a task is begun and ended by one implementation: for plans run by Tutti and for agent-led plans', async () => {
  planted.begin = true;
  expect([await taskOfTutti(), await taskOfAgent()]).toEqual(['FAILURE', 'has a planted begin']);
  planted.begin = false;
  planted.end = true;
  expect([await taskOfTutti(), await taskOfAgent()]).toEqual(['FAILURE', 'has a planted end']);
});

test('a task leaves the same record, result and log, whoever worked on it', async () => {
  const seen = [];
  for (const work of ['tutti', 'agent'] as const) {
    using project = new ExecuteProject(documents);
    using tutti = project.open();
    if (work === 'tutti') await project.playIn(tutti, { tasks: ['T001'], verify: false });
    else await conducted(project, tutti);
    const row = await tutti.queries.plans.task(plan, 'T001');
    const log = project.read(`.tutti/plans/${plan}/activity.log`);
    seen.push({
      state: row?.state.at,
      written: row?.state.written,
      phase: (await tutti.queries.plans.one(plan))?.phase,
      status: recorded<{ status: string }>(project.json('bundles/T001-result.json')).status,
      events: [...log.matchAll(/\] (task-\w+): T001: (.*)/g)].map(([, event]) => event),
    });
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]?.events).toEqual(['task-start', 'task-complete']);
});
