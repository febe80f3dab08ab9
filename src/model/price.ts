import type { Usage } from './usage.ts';

/** USD for a million tokens of one model, as the project's configuration says. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Null: what comes out of the cache is charged as any other input, so the sum is an upper bound. */
  readonly cachedInput: number | null;
  /** The day on which it was looked up, such as `2026-11-01`. */
  readonly asOf: string;
}

const million = 1_000_000;

/** With a cost where the CLI told tokens only and their price is known. What the CLI told itself stands. */
export function priced(usage: Usage, price: ModelPrice | null): Usage {
  const { inputTokens, outputTokens, costUsd } = usage;
  if (price === null || costUsd !== null || inputTokens === null || outputTokens === null) return usage;
  const cached = Math.min(usage.cachedInputTokens ?? 0, inputTokens);
  const sum =
    (inputTokens - cached) * price.input +
    cached * (price.cachedInput ?? price.input) +
    outputTokens * price.output;
  return { ...usage, costUsd: sum / million, pricedAsOf: price.asOf };
}
