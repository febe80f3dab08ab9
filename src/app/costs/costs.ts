import { microDollars } from '../../lib/dollars.ts';
import { rootStepOf } from '../../model/key.ts';
import { type CostGroup, sumOf, type UsageSum } from '../../model/price-sum.ts';
import type { Session } from '../../model/session.ts';
import type { Tutti } from '../tutti.ts';

export interface CostChoice {
  /** With every run that was started inside it; null is all of the project. */
  readonly runId: string | null;
  readonly by: CostGroup;
  /** Sessions that were created since this instant. */
  readonly since: number;
}

export interface Costs {
  /** In the order of the first session of each. */
  readonly groups: readonly (UsageSum & { readonly name: string })[];
  readonly total: UsageSum;
}

const nameOf: Readonly<Record<CostGroup, (session: Session) => string>> = {
  run: ({ runId }) => runId,
  step: ({ key }) => rootStepOf(key),
  agent: ({ agent }) => agent,
  tier: ({ tier }) => tier,
  driver: ({ driver }) => driver,
  model: ({ model }) => model ?? 'unknown',
  session: ({ id }) => id,
};

/** What the sessions of a project used, as far as anybody told. */
export function costsOf({ queries }: Pick<Tutti, 'queries'>, { runId, by, since }: CostChoice): Costs {
  const sessions = queries.sessions.spending({ runId, since });
  const groups = Map.groupBy(sessions, nameOf[by]);
  return {
    groups: [...groups].map(([name, members]) => ({ name, ...sumOf(members.map(({ usage }) => usage)) })),
    total: sumOf(sessions.map(({ usage }) => usage)),
  };
}

export function sumJson(sum: UsageSum): object {
  return {
    turns: sum.turns,
    running: sum.running,
    input_tokens: sum.inputTokens,
    output_tokens: sum.outputTokens,
    turns_without_tokens: sum.withoutTokens,
    cost_usd: sum.costUsd === null ? null : microDollars(sum.costUsd),
    turns_without_price: sum.withoutPrice,
    computed_cost_usd: microDollars(sum.computedUsd),
    price_dates: sum.priceDates,
  };
}
