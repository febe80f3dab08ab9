/** What a turn consumed, as far as the agent CLI tells. Unknown is null, never zero. */
export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
  /** Of the input, what came out of the model's cache; absent where nobody tells. */
  readonly cachedInputTokens?: number | null;
  /** The day of the price list by which the cost was computed; absent where the CLI told it itself. */
  readonly pricedAsOf?: string;
}

export const unknownUsage: Usage = { inputTokens: null, outputTokens: null, costUsd: null };

export function tokensOf(usage: Usage): number {
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}

/** Whether a turn told what it took: then it ran, although no process saw it begin. */
export function hasSpent({ inputTokens, costUsd }: Usage): boolean {
  return inputTokens !== null || costUsd !== null;
}
