import { isObject, type JsonObject } from '../../lib/json.ts';
import { unknownUsage, type Usage } from '../../model/usage.ts';
import { amount } from '../../lib/amount.ts';

/**
 * What this process used, after one more of its results. `total_cost_usd` is the whole conversation's in newer versions,
 * so a continued one would be paid twice; what came since the last result is exact where it is told.
 */
export function usageAfter(before: Usage, result: JsonObject): Usage {
  const since = result['model_usage_since_last_result'];
  return isObject(since) ? sum(before, Object.values(since).filter(isObject)) : total(result);
}

function sum(before: Usage, models: readonly JsonObject[]): Usage {
  const added = (start: number | null, ...names: readonly string[]): number =>
    models
      .flatMap((model) => names.map((name) => amount(model[name]) ?? 0))
      .reduce((a, b) => a + b, start ?? 0);
  return {
    inputTokens: added(before.inputTokens, 'inputTokens', 'cacheCreationInputTokens', 'cacheReadInputTokens'),
    outputTokens: added(before.outputTokens, 'outputTokens'),
    costUsd: added(before.costUsd, 'costUSD'),
  };
}

function total(result: JsonObject): Usage {
  const usage = result['usage'];
  if (!isObject(usage)) return { ...unknownUsage, costUsd: amount(result['total_cost_usd']) };
  const cached = ['cache_creation_input_tokens', 'cache_read_input_tokens'].map(
    (name) => amount(usage[name]) ?? 0,
  );
  const input = amount(usage['input_tokens']);
  return {
    inputTokens: input === null ? null : cached.reduce((a, b) => a + b, input),
    outputTokens: amount(usage['output_tokens']),
    costUsd: amount(result['total_cost_usd']),
  };
}
