import type { Usage } from '../usage.ts';
import { countOrNull } from './basic-shapes.ts';

/** What a turn consumed, as files say it. */
export const usageMembers = {
  input_tokens: countOrNull().optional(),
  output_tokens: countOrNull().optional(),
  cost_usd: countOrNull().optional(),
};

interface UsageForm {
  readonly input_tokens?: number | null | undefined;
  readonly output_tokens?: number | null | undefined;
  readonly cost_usd?: number | null | undefined;
}

export function usageOf(form: UsageForm): Usage {
  return {
    inputTokens: form.input_tokens ?? null,
    outputTokens: form.output_tokens ?? null,
    costUsd: form.cost_usd ?? null,
  };
}
