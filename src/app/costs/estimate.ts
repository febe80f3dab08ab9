import { findModel } from '../../drivers/cli-facts.ts';
import { graphOf } from '../../model/graph.ts';
import type { BudgetLimits } from '../../model/budget.ts';
import type { FlowInput, FlowStep } from '../../model/flow.ts';
import { rootStepOf } from '../../model/key.ts';
import { sumOf } from '../../model/price-sum.ts';
import type { Session } from '../../model/session.ts';
import type { Config } from '../../model/config.ts';
import { median } from '../../lib/median.ts';

/** What a step may take. Null is unknown. */
export interface StepEstimate {
  readonly step: string;
  /** Null: a command, which uses no tokens. */
  readonly agent: string | null;
  readonly driver: string | null;
  readonly tier: string | null;
  readonly model: string | null;
  /** Of how many earlier runs the numbers are the median. */
  readonly runs: number;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly durationMs: number | null;
  readonly timeFrom: 'history' | 'declared' | 'unknown';
}

export interface FlowEstimate {
  readonly flow: string;
  readonly steps: readonly StepEstimate[];
  /** Sums of what is known. The time is that of the longest chain of steps. */
  readonly total: Pick<StepEstimate, 'tokens' | 'costUsd' | 'durationMs'>;
  readonly budget: Partial<BudgetLimits>;
}

/** What agents did before. */
export interface EarlierTurns {
  readonly sessions: readonly Session[];
  /** Whether a step succeeded in that run: its last turn can end well and its gates refuse the work. */
  succeeded(runId: string, step: string): boolean;
}

/** What a flow may take, from what the same steps took before and from what its author says. Nothing is started. */
export function estimateOf(
  { flow, agents }: Pick<FlowInput, 'flow' | 'agents'>,
  config: Pick<Config, 'drivers'>,
  earlier: EarlierTurns,
): FlowEstimate {
  const steps = flow.steps.map((step) => estimateOfStep(step, agents, config, earlier));
  return {
    flow: flow.name,
    steps,
    total: {
      tokens: total(steps, ({ tokens }) => tokens),
      costUsd: total(steps, ({ costUsd }) => costUsd),
      durationMs: longestChain(flow.steps, steps),
    },
    budget: flow.budget,
  };
}

/** Commands use nothing: where no agent's part is known, nothing is. */
function total(
  steps: readonly StepEstimate[],
  amountOf: (step: StepEstimate) => number | null,
): number | null {
  const ofAgents = steps.filter(({ agent }) => agent !== null).map(amountOf);
  const known = ofAgents.filter((amount) => amount !== null);
  if (known.length === 0 && ofAgents.length > 0) return null;
  return known.reduce((sum, amount) => sum + amount, 0);
}

function estimateOfStep(
  step: FlowStep,
  agents: FlowInput['agents'],
  config: Pick<Config, 'drivers'>,
  earlier: EarlierTurns,
): StepEstimate {
  const { id, work, estimateMs } = step;
  const declared = {
    durationMs: estimateMs,
    timeFrom: estimateMs === null ? 'unknown' : 'declared',
  } as const;
  const agent = work.kind === 'agent' ? agents[work.agent] : undefined;
  if (agent === undefined) {
    const nobody = { agent: null, driver: null, tier: null, model: null, runs: 0 };
    return { step: id, ...nobody, tokens: 0, costUsd: 0, ...declared };
  }
  const { name, driver, tier } = agent;
  // Another driver or tier is another price and another pace.
  const alike = earlier.sessions.filter(
    (session) =>
      session.agent === name &&
      session.driver === driver &&
      session.tier === tier &&
      rootStepOf(session.key) === id,
  );
  // A step that was given up says little about one that gets done.
  const tries = [...Map.groupBy(alike, ({ runId }) => runId)]
    .filter(([runId]) => earlier.succeeded(runId, id))
    .map(([, sessions]) => tryOf(sessions));
  const time = median(tries.map(({ durationMs }) => durationMs));
  return {
    step: id,
    agent: name,
    driver,
    tier,
    model: findModel(config, agent),
    runs: tries.length,
    tokens: median(tries.map(({ tokens }) => tokens)),
    costUsd: median(tries.map(({ costUsd }) => costUsd)),
    ...(time === null ? declared : { durationMs: time, timeFrom: 'history' }),
  };
}

/** All turns of a step in one run, healing ones too. */
function tryOf(sessions: readonly Session[]): {
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly durationMs: number;
} {
  const sum = sumOf(sessions.map(({ usage }) => usage));
  const { inputTokens, outputTokens } = sum;
  const allTold = sum.withoutTokens === 0 && inputTokens !== null && outputTokens !== null;
  return {
    tokens: allTold ? inputTokens + outputTokens : null,
    costUsd: sum.withoutPrice === 0 ? sum.costUsd : null,
    durationMs: sessions.reduce(
      (time, { createdAt, startedAt, endedAt }) => time + (endedAt ?? createdAt) - (startedAt ?? createdAt),
      0,
    ),
  };
}

function longestChain(steps: readonly FlowStep[], estimates: readonly StepEstimate[]): number | null {
  if (estimates.every(({ durationMs }) => durationMs === null)) return null;
  const times = new Map(estimates.map(({ step, durationMs }) => [step, durationMs ?? 0]));
  const plan = graphOf(steps.map(({ id, needs }) => ({ id, needs, estimate: times.get(id) ?? 0 })));
  return plan.ok ? Math.max(...steps.map(({ id }) => plan.value.priority(id))) : null;
}
