import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { executeRunId, planRunId } from '../../model/plan/task-row.ts';
import { sumOf } from '../../model/price-sum.ts';
import type { Session } from '../../model/session.ts';
import { usageNow } from '../costs/costs.ts';

interface Spending {
  readonly sessions: {
    spending(filter: { readonly runId: string; readonly since: number }): Promise<readonly Session[]>;
  };
}

/** A sum is null when no turn told any part of it: unknown is not zero. */
export interface PlanTokens {
  readonly input: number | null;
  readonly output: number | null;
  readonly cost_usd: number | null;
  /** Turns that did not tell all their tokens, and those of unknown price: the sums are then lower bounds. */
  readonly turns_without_tokens: number;
  readonly turns_without_price: number;
}

/** What work on a plan took: what agents logged who conduct it, and what the turns took that Tutti ran. */
export async function planTokens({ sessions }: Spending, { name, logged }: PlanRecord): Promise<PlanTokens> {
  const turns = (
    await Promise.all(
      [planRunId(name), executeRunId(name)].map(async (runId) =>
        (await sessions.spending({ runId, since: 0 })).map(usageNow),
      ),
    )
  ).flat();
  const told =
    logged === undefined
      ? []
      : [{ inputTokens: logged.tokensIn, outputTokens: logged.tokensOut, costUsd: logged.costUsd }];
  const sum = sumOf([...told, ...turns]);
  // Before the first turn nothing was used, and that is known.
  const known = (amount: number | null): number | null => (sum.turns === 0 ? 0 : amount);
  return {
    input: known(sum.inputTokens),
    output: known(sum.outputTokens),
    cost_usd: known(sum.costUsd),
    turns_without_tokens: sum.withoutTokens,
    turns_without_price: sum.withoutPrice,
  };
}
