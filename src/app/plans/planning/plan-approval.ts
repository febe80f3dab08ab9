import { changePlan } from '../../plan-record/change-plan.ts';
import { err } from '../../../lib/result.ts';
import type { Approval } from '../../../model/plan/plan-record.ts';
import { withApproval } from '../../../model/plan/plan-transitions.ts';
import { digestTaskFiles } from '../../plan-files/load-tasks.ts';
import { planPathsOf } from '../../plan-files/plan-paths.ts';
import { done, failed } from '../../host/completions.ts';
import type { OperationCall, OperationEnd } from '../../host/operation-call.ts';
import { writePlanViews } from '../plan-views.ts';

/** What a person has said of exactly these tasks; null: nobody has. */
export async function planApprovalStanding({
  parts,
  args: { plan, tasks },
}: OperationCall<'plan-approval-standing'>): Promise<OperationEnd<Approval | null>> {
  const approval = (await parts.queries.plans.one(plan))?.approval ?? null;
  return done(approval?.tasks === tasks ? approval : null);
}

export async function planApprovalRecord({
  parts,
  args,
}: OperationCall<'plan-approval-record'>): Promise<OperationEnd<null>> {
  const { plan, tasks, said, reason, by, at } = args;
  const files = said === 'refused' ? { files: digestTaskFiles(planPathsOf(parts.paths, plan).dir) } : {};
  const changed = await changePlan(parts, plan, (record) => {
    if (record.checked.tasks !== tasks)
      return err('the tasks were changed after they were shown; run: tutti plan');
    return withApproval(record, { said, reason, by, at, ...files });
  });
  if (!changed.ok) return failed(changed.error);
  await writePlanViews(parts, plan);
  return done(null);
}
