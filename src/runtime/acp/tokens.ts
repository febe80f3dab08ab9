import { amount } from '../../lib/amount.ts';
import { isObject, type Json } from '../../lib/json.ts';

export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/**
 * All tokens of the process so far. The protocol's own member counts over the whole conversation; one agent tells those of
 * each prompt, in a place of its own; others tell nothing.
 */
export function tokensAfter(before: Tokens | null, answer: Json): Tokens | null {
  if (!isObject(answer)) return before;
  const { usage, _meta: meta } = answer;
  if (isObject(usage)) return { input: tokens(usage['inputTokens']), output: tokens(usage['outputTokens']) };
  const quota = isObject(meta) ? meta['quota'] : null;
  const now = isObject(quota) ? quota['token_count'] : null;
  if (!isObject(now)) return before;
  return {
    input: (before?.input ?? 0) + tokens(now['input_tokens']),
    output: (before?.output ?? 0) + tokens(now['output_tokens']),
  };
}

function tokens(value: Json | undefined): number {
  return amount(value) ?? 0;
}
