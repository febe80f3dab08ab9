/** What a turn consumed, as far as the agent CLI tells. Unknown is null, never zero. */
export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
}

export const unknownUsage: Usage = { inputTokens: null, outputTokens: null, costUsd: null };

export function tokensOf(usage: Usage): number {
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}
