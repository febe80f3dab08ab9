import { beforeEach, expect, test, vi } from 'vitest';
import type * as agentVerdicts from '../src/kernel/agent-verdict.ts';
import type * as agentWorks from '../src/kernel/agent-work.ts';
import type * as approvals from '../src/kernel/approval.ts';
import type * as gates from '../src/kernel/pass-gates.ts';
import type * as walks from '../src/kernel/walk-graph.ts';
import { AmendProject, agentStep, type Step } from './amend/project.ts';
import { ExecutorProject } from './compose/executor-project.ts';
import { orchestrated } from './compose/orchestrator-project.ts';
import { answerOf, SpawnProject } from './compose/project.ts';
import { cheap, ExecuteProject } from './execute/project.ts';
import { PlannerProject } from './planning/project.ts';
import { goodPlan } from './plans/good-plan.ts';

/** The part that is missing. */
const missing = vi.hoisted(() => ({ part: '' }));

function unless<Args extends unknown[], Value>(
  part: string,
  real: (...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Value> {
  return (...args) =>
    missing.part === part ? Promise.reject(new Error(`${part} is missing`)) : real(...args);
}

vi.mock('../src/kernel/walk-graph.ts', async (original) => {
  const real = await original<typeof walks>();
  return { ...real, walkGraph: unless('walkGraph', real.walkGraph) };
});
vi.mock('../src/kernel/agent-work.ts', async (original) => {
  const real = await original<typeof agentWorks>();
  return { ...real, agentWork: unless('agentWork', real.agentWork) };
});
vi.mock('../src/kernel/agent-verdict.ts', async (original) => {
  const real = await original<typeof agentVerdicts>();
  return { ...real, agentVerdict: unless('agentVerdict', real.agentVerdict) };
});
vi.mock('../src/kernel/pass-gates.ts', async (original) => {
  const real = await original<typeof gates>();
  return { ...real, passGates: unless('passGates', real.passGates) };
});
vi.mock('../src/kernel/approval.ts', async (original) => {
  const real = await original<typeof approvals>();
  return {
    ...real,
    askApproval: unless('approval', real.askApproval),
    approveDocument: unless('approval', real.approveDocument),
  };
});

beforeEach(() => {
  missing.part = '';
});

async function flow(more: object = {}): Promise<string> {
  using project = new AmendProject();
  project.write('agents/judge.md', 'ROLE judge\n');
  const step: Step = agentStep('writes', [], 'SAY draft', { retry: { max: 0 }, ...more });
  return await outcomeOf(() => project.play([step]));
}

async function task(verify: boolean): Promise<string> {
  using project = new ExecuteProject(cheap(goodPlan({ tasks: 2 })));
  return await outcomeOf(() => project.play({ tasks: ['T001'], verify }));
}

async function planning(): Promise<string> {
  using project = new PlannerProject();
  return await outcomeOf(() => project.plan());
}

async function spawn(): Promise<string> {
  using project = new SpawnProject();
  return await outcomeOf(async () => ({
    outcome: answerOf((await project.spawn('say hello')).out)['STATUS'] ?? 'no answer',
  }));
}

async function executor(): Promise<string> {
  using project = new ExecutorProject();
  return await outcomeOf(async () => {
    const { out } = await project.work('GATED', 'writes:docs/done.md succeeds');
    return { outcome: answerOf(out)['STATUS'] ?? 'no answer' };
  });
}

async function stages(): Promise<string> {
  const stage = (name: string) => ({ name, args: ['PLAN', `writes:docs/${name}.md succeeds`] });
  using project = orchestrated([stage('a'), stage('b')]);
  return await outcomeOf(async () => {
    const { out } = await project.call(['orchestrator', 'two', 'x']);
    return { outcome: answerOf(out)['STATUS'] ?? 'no answer' };
  });
}

async function outcomeOf(play: () => Promise<{ readonly outcome: string }>): Promise<string> {
  try {
    return (await play()).outcome;
  } catch (error) {
    return String(error);
  }
}

/** Whether each family ends otherwise without the part, and because of it. */
async function failsWithout(
  part: string,
  families: readonly (() => Promise<string>)[],
): Promise<readonly boolean[]> {
  const failed: boolean[] = [];
  for (const play of families) {
    missing.part = '';
    const whole = await play();
    missing.part = part;
    const broken = await play();
    expect(['SUCCESS', 'HUMAN_INPUT']).toContain(whole);
    failed.push(broken !== whole);
  }
  return failed;
}

test.each([
  ['walkGraph', [() => flow(), () => task(false), () => stages()]],
  ['agentWork', [() => flow(), () => task(false), () => planning(), () => spawn(), () => executor()]],
  ['passGates', [() => flow({ gates: [{ file: 'out/writes.txt' }] }), () => executor()]],
  ['agentVerdict', [() => flow({ gates: [{ verifier: 'judge' }] }), () => task(true)]],
  ['approval', [() => flow({ gates: [{ approval: 'Ship it?' }] }), () => planning()]],
] as const)('without %s every family fails that has such a part', async (part, families) => {
  expect(await failsWithout(part, families)).toEqual(families.map(() => true));
});
