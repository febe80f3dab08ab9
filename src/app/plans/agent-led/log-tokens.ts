import { ok, type Result } from '../../../lib/result.ts';
import type { LoggedUsage } from '../../../model/plan/plan-record.ts';
import { withUsage } from '../../../model/plan/plan-transitions.ts';
import type { Refusal } from '../../refusal.ts';
import type { Tutti } from '../../tutti.ts';
import { logActivity } from '../../plan-files/activity-log.ts';
import type { FoundPlan } from '../find-plan.ts';
import { changePlan } from './change-and-show.ts';

/** What a hosted agent says it used: added to the plan's sum, and told in its log. Returns the sum. */
export async function logTokens(
  tutti: Tutti,
  { plan, paths }: FoundPlan,
  session: string,
  used: LoggedUsage,
): Promise<Result<LoggedUsage, Refusal>> {
  const changed = await changePlan(tutti, plan.name, 'look at it: tutti plan status', (record) =>
    ok(withUsage(record, used)),
  );
  if (!changed.ok) return changed;
  const message = `in=${used.tokensIn} out=${used.tokensOut} cost=${used.costUsd}`;
  await logActivity(tutti, paths, { level: 'INFO', agent: session, event: 'tokens', message });
  return ok(changed.value.logged ?? used);
}
