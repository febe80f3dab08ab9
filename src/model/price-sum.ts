import type { Usage } from './usage.ts';

/** What costs are added up by. */
export const costGroups = ['run', 'step', 'agent', 'tier', 'driver', 'model', 'session'] as const;
export type CostGroup = (typeof costGroups)[number];

/** What several turns used together. A sum is null when nobody told any part of it: unknown is not zero. */
export interface UsageSum {
  readonly turns: number;
  /** Not ended yet: what they use is told at their end, and is not in the sums. */
  readonly running: number;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Turns that did not tell all their tokens. */
  readonly withoutTokens: number;
  readonly costUsd: number | null;
  /** Turns of unknown price: the cost is then a lower bound. */
  readonly withoutPrice: number;
  /** The part of the cost that was computed from tokens, and by the price lists of which days. */
  readonly computedUsd: number;
  readonly priceDates: readonly string[];
}

const finest = 1e9;

/** Null stands for a turn that has not ended. */
export function sumOf(turns: readonly (Usage | null)[]): UsageSum {
  const ended = turns.filter((usage) => usage !== null);
  const computed = ended.filter(({ pricedAsOf }) => pricedAsOf !== undefined);
  return {
    turns: ended.length,
    running: turns.length - ended.length,
    inputTokens: total(ended.map(({ inputTokens }) => inputTokens)),
    outputTokens: total(ended.map(({ outputTokens }) => outputTokens)),
    withoutTokens: ended.filter((usage) => usage.inputTokens === null || usage.outputTokens === null).length,
    costUsd: total(ended.map(({ costUsd }) => costUsd)),
    withoutPrice: ended.filter(({ costUsd }) => costUsd === null).length,
    computedUsd: total(computed.map(({ costUsd }) => costUsd)) ?? 0,
    priceDates: [...new Set(ended.flatMap(({ pricedAsOf }) => pricedAsOf ?? []))].toSorted(),
  };
}

function total(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null);
  if (known.length === 0) return null;
  // Sums of fractions of a cent are told without the noise of binary fractions.
  return Math.round(known.reduce((sum, amount) => sum + amount, 0) * finest) / finest;
}
