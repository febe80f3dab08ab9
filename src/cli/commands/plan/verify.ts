import { verifyPlan } from '../../../app/plans/planning/verify-plan.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { admitPlan } from '../../admit.ts';
import { planRunId } from '../../../model/plan/task-row.ts';
import type { Context } from '../../context.ts';
import { defineCommand, trustFlag, type TrustFlag } from '../../define-command.ts';
import { advance } from '../../advance.ts';
import { fail } from '../../fail.ts';
import { detachFlag, planFlags } from '../../plan-flags.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';

interface VerifyFlags extends PlanFlags, TrustFlag {
  readonly detach: boolean;
}

export const command = defineCommand<VerifyFlags, []>({
  reads: false,
  parameters: { flags: { detach: detachFlag, trust: trustFlag, ...planFlags } },
  about:
    'After a BLOCKED verdict, fix the task files and run this command. The report is in\n' +
    'reports/task-validation-report.md.',
  examples: [['tutti plan verify', 'verify the newest plan']],
  run: verify,
});

/** The verifier once more, on the tasks as they are now. */
async function verify(flags: VerifyFlags, context: Context): Promise<Outcome> {
  const { json, detach } = flags;
  const admitted = await admitPlan(context, flags, planRunId);
  if (!admitted.ok) return fail(context, admitted.error, json);
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const { plan } = found;
    const begun = await verifyPlan(tutti, found, flags);
    if (!begun.ok) return fail(context, begun.error, json);
    const { runId, how } = begun.value;
    if (how === 'reopened')
      return advance(context, tutti, { runId, after: await tutti.queries.lastSeq(runId), detach, json });
    if (json) printJson(context, { plan: plan.name, run_id: runId, how });
    else
      printLines(context, [
        `plan ${plan.name}: the verifier looks again`,
        `  → watch it: tutti events ${runId} --follow`,
      ]);
    return 'SUCCESS';
  });
}
