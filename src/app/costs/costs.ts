import { microDollars } from '../../lib/dollars.ts';
import { rootStepOf } from '../../model/key.ts';
import { type CostGroup, sumOf, type UsageSum } from '../../model/price-sum.ts';
import { isTerminal, type Session } from '../../model/session.ts';
import { type Usage, unknownUsage } from '../../model/usage.ts';
import { isDead } from '../sessions/activity.ts';
import { lookAtSession, type Looking } from '../sessions/sessions-now.ts';
import { hasBegun, launchedOfTree } from '../status/begun-sessions.ts';
import type { Output } from '../../model/schemas/published.ts';

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
  /** Turns that have ended, and whose log no process has read since. */
  readonly unread: number;
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
export async function costsOf(tutti: Looking, { runId, by, since }: CostChoice): Promise<Costs> {
  const recorded = await tutti.queries.sessions.spending({ runId, since });
  const known = new Set(recorded.map(({ id }) => id));
  const launched =
    runId === null
      ? (await tutti.queries.sessions.launched()).map(({ session }) => session)
      : await launchedOfTree(tutti, runId);
  const begun = launched.filter(
    (row) => !known.has(row.id) && row.createdAt >= since && hasBegun(tutti, row),
  );
  const rows = [...recorded, ...begun];
  const sessions = await Promise.all(rows.map((row) => lookAtSession(tutti, row)));
  const usage = (session: Session): Usage | null =>
    usageNow(session) ?? (isDead(tutti, session) ? unknownUsage : null);
  const groups = Map.groupBy(sessions, nameOf[by]);
  return {
    groups: [...groups].map(([name, members]) => ({ name, ...sumOf(members.map(usage)) })),
    total: sumOf(sessions.map(usage)),
    unread: sessions.filter((session, at) => isUnread(session, rows[at])).length,
  };
}

/** One that is lost has left nothing to read. */
function isUnread({ status, usage, lost }: Session, row: Session | undefined): boolean {
  return usage === null && !lost && isTerminal(status) && row !== undefined && !isTerminal(row.status);
}

/** Null: it is under way. One that ended with no process to read what it used is over, and told nothing. */
export function usageNow({ usage, status }: Session): Usage | null {
  return usage ?? (isTerminal(status) ? unknownUsage : null);
}

export function sumJson(sum: UsageSum): Output<'costs'>['total'] {
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
