import { amount } from '../../lib/amount.ts';
import { isObject, type Json } from '../../lib/json.ts';

export interface Tokens {
  readonly input: number | null;
  readonly output: number | null;
}

/**
 * All tokens of the process so far. The protocol's own member counts over the whole conversation; one agent tells those of
 * each prompt, in a place of its own; others tell nothing.
 */
export function tokensAfter(before: Tokens | null, answer: Json): Tokens | null {
  if (!isObject(answer)) return before;
  const { usage, _meta: meta } = answer;
  if (isObject(usage)) return { input: amount(usage['inputTokens']), output: amount(usage['outputTokens']) };
  const quota = isObject(meta) ? meta['quota'] : null;
  const now = isObject(quota) ? quota['token_count'] : null;
  if (!isObject(now)) return before;
  return {
    input: sum(before?.input, amount(now['input_tokens'])),
    output: sum(before?.output, amount(now['output_tokens'])),
  };
}

/** Unknown is not nothing. */
function sum(before: number | null | undefined, now: number | null): number | null {
  return now === null ? (before ?? null) : (before ?? 0) + now;
}
