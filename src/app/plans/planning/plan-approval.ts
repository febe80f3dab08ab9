import { plain } from '../../../lib/json.ts';
import { err } from '../../../lib/result.ts';
import type { Completion } from '../../../model/entry.ts';
import type { Approval } from '../../../model/plan/plan-record.ts';
import { withApproval } from '../../../model/plan/plan-transitions.ts';
import type { HostParts } from '../../host/host-parts.ts';
import { writePlanViews } from '../plan-views.ts';
import { done, failed } from './completion.ts';

/** What a person has said of exactly these tasks; null: nobody has. */
export function standingApproval({ queries }: HostParts, plan: string, tasks: string): Completion {
  const approval = queries.plans.one(plan)?.approval ?? null;
  return done(approval?.tasks === tasks ? plain(approval) : null);
}

export async function recordApproval(
  parts: HostParts,
  plan: string,
  approval: Approval,
): Promise<Completion> {
  const { tasks, said, reason, by, at } = approval;
  const changed = await parts.store.changePlan(plan, (record) => {
    if (record.checked.tasks !== tasks)
      return err('the tasks were changed after they were shown; run: tutti plan');
    return withApproval(record, { said, reason, by, at });
  });
  if (!changed.ok) return failed(changed.error);
  await writePlanViews(parts, plan);
  return done(null);
}
