import type { PlanRecord } from '../../model/plan/plan-record.ts';
import { executeRunId, planRunId } from '../../model/plan/task-row.ts';
import type { Session } from '../../model/session.ts';

interface Spending {
  readonly sessions: {
    spending(filter: { readonly runId: string; readonly since: number }): readonly Session[];
  };
}

export interface PlanTokens {
  readonly input: number;
  readonly output: number;
  readonly cost_usd: number;
}

/** What work on a plan took: what agents logged who conduct it, and what the turns took that Tutti ran. */
export function planTokens({ sessions }: Spending, { name, logged }: PlanRecord): PlanTokens {
  const turns = [planRunId(name), executeRunId(name)].flatMap((runId) =>
    sessions.spending({ runId, since: 0 }).map(({ usage }) => usage),
  );
  const sum = (first: number, amounts: readonly (number | null | undefined)[]): number =>
    amounts.reduce<number>((total, amount) => total + (amount ?? 0), first);
  return {
    input: sum(
      logged?.tokensIn ?? 0,
      turns.map((usage) => usage?.inputTokens),
    ),
    output: sum(
      logged?.tokensOut ?? 0,
      turns.map((usage) => usage?.outputTokens),
    ),
    cost_usd: sum(
      logged?.costUsd ?? 0,
      turns.map((usage) => usage?.costUsd),
    ),
  };
}
