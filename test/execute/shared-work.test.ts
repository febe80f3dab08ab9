import { beforeEach, expect, test, vi } from 'vitest';
import { completeTask } from '../../src/app/plans/state/complete-task.ts';
import { startTask } from '../../src/app/plans/state/start-task.ts';
import type * as command from '../../src/model/command.ts';
import { AmendProject, agentStep } from '../amend/project.ts';
import { goodPlan } from '../plans/good-plan.ts';
import { cheap, ensurePlan, ExecuteProject } from './project.ts';

/** What is planted in place of the one implementation. */
const planted = vi.hoisted(() => ({ verdict: false }));

vi.mock('../../src/model/command.ts', async (original) => {
  const real = await original<typeof command>();
  const judgeCommand: typeof real.judgeCommand = (end) =>
    planted.verdict ? { problem: 'exit', words: 'has a planted verdict' } : real.judgeCommand(end);
  return { ...real, judgeCommand };
});

beforeEach(() => {
  planted.verdict = false;
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
