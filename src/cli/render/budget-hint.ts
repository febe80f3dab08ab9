import type { Budget } from '../../model/budget.ts';
import { planOfRunId } from '../../model/plan/task-row.ts';
import type { Run } from '../../model/run.ts';

interface Ceiling {
  /** As the flow file and the option spell it. */
  readonly member: string;
  readonly option: string;
  readonly now: string;
}

/**
 * The command that continues a run with a higher ceiling: resumed as it is, it would end at the same one. Null: the run
 * reached none of its ceilings, and something else ended it.
 */
export function budgetHint(run: Run, budget: Budget | null): string | null {
  const ceiling = budget === null ? null : reachedCeiling(budget);
  if (ceiling === null) return null;
  const { member, option, now } = ceiling;
  switch (run.workflow) {
    case 'flow':
      return `raise ${member} (now ${now}) under budget in the flow file, then: tutti run FILE --run-id ${run.id}`;
    case 'execute':
    case 'plan': {
      const command = `tutti ${run.workflow} --plan ${planOfRunId(run.id)} ${option} N`;
      return `continue with a higher ceiling (now ${now}): ${command}`;
    }
    default:
      return null;
  }
}

function reachedCeiling({ limits, spent }: Budget): Ceiling | null {
  const { launches, tokens, costUsd } = limits;
  if (launches !== undefined && spent.launches >= launches)
    return { member: 'launches', option: '--max-launches', now: String(launches) };
  if (tokens !== undefined && spent.tokens >= tokens)
    return { member: 'tokens', option: '--max-tokens', now: String(tokens) };
  if (costUsd !== undefined && spent.costUsd >= costUsd)
    return { member: 'cost_usd', option: '--max-cost', now: String(costUsd) };
  return null;
}
