import { formatDuration } from '../../lib/duration.ts';
import type { FlowEstimate, StepEstimate } from '../../app/costs/estimate.ts';
import { alignedTable, money } from './cost-table.ts';
import { counted } from '../../lib/counted.ts';
import type { Paint } from './style.ts';
import { dollars } from '../../lib/dollars.ts';
import type { Output } from '../../model/schemas/published.ts';

const titles = ['STEP', 'AGENT', 'FROM', 'TOKENS', 'COST', 'TIME'];
const textColumns = 3;

export function estimateLines(estimate: FlowEstimate, paint: Paint, columns: number): string[] {
  const { steps, total } = estimate;
  const rows = [...steps.map(cellsOf), ['total', '', 'what is known', ...amounts(total)]];
  return [
    ...alignedTable(titles, rows, textColumns, paint, columns),
    ...unknowns(steps),
    ...ceilings(estimate),
    'nothing was started; the time is that of the longest chain of steps',
  ];
}

export function estimateJson({ flow, steps, total, budget }: FlowEstimate): Output<'estimate'> {
  return {
    flow,
    steps: steps.map(({ step, agent, driver, tier, model, runs, timeFrom, ...amount }) => ({
      step,
      agent,
      driver,
      tier,
      model,
      runs,
      ...amountsJson(amount),
      time_from: timeFrom,
    })),
    total: {
      ...amountsJson(total),
      steps_without_tokens: steps.filter(({ tokens }) => tokens === null).length,
      steps_without_cost: steps.filter(({ costUsd }) => costUsd === null).length,
      steps_without_time: steps.filter(({ durationMs }) => durationMs === null).length,
    },
    budget: {
      tokens: budget.tokens ?? null,
      cost_usd: budget.costUsd ?? null,
      launches: budget.launches ?? null,
    },
  };
}

type Amounts = Pick<StepEstimate, 'tokens' | 'costUsd' | 'durationMs'>;

function amountsJson({ tokens, costUsd, durationMs }: Amounts) {
  return {
    tokens: tokens === null ? null : Math.round(tokens),
    cost_usd: costUsd,
    seconds: durationMs === null ? null : durationMs / 1000,
  };
}

function cellsOf(step: StepEstimate): string[] {
  const { agent, runs } = step;
  const [, , time = ''] = amounts(step);
  if (agent === null) return [step.step, '(command)', declaredOr(step, ''), '-', '-', time];
  const from = runs > 0 ? counted(runs, 'earlier run') : declaredOr(step, 'nothing yet');
  return [step.step, agent, from, ...amounts(step)];
}

function declaredOr({ timeFrom }: StepEstimate, otherwise: string): string {
  return timeFrom === 'declared' ? 'declared time' : otherwise;
}

function amounts({ tokens, costUsd, durationMs }: Amounts): string[] {
  return [
    tokens === null ? 'unknown' : Math.round(tokens).toLocaleString('en-US'),
    money(costUsd),
    durationMs === null ? 'unknown' : formatDuration(durationMs),
  ];
}

function unknowns(steps: readonly StepEstimate[]): string[] {
  const without = (what: 'tokens' | 'costUsd' | 'durationMs', name: string): string[] => {
    const count = steps.filter((step) => step[what] === null).length;
    return count === 0 ? [] : [`and ${counted(count, 'step')} of unknown ${name}`];
  };
  return [...without('tokens', 'tokens'), ...without('costUsd', 'cost'), ...without('durationMs', 'time')];
}

function ceilings({ budget: { costUsd, tokens, launches, wallMs } }: FlowEstimate): string[] {
  const parts = [
    ...(costUsd === undefined ? [] : [dollars(costUsd)]),
    ...(tokens === undefined ? [] : [`${tokens.toLocaleString('en-US')} tokens`]),
    ...(launches === undefined ? [] : [counted(launches, 'launch', 'launches')]),
    ...(wallMs === undefined ? [] : [formatDuration(wallMs)]),
  ];
  return parts.length === 0 ? [] : [`the budget ends it at ${parts.join(' or ')}`];
}
