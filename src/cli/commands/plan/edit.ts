import { editTasks, takeTaskFiles } from '../../../app/plans/edit-plan.ts';
import { answerApproval } from '../../../app/plans/open-approval.ts';
import { verifyPlan } from '../../../app/plans/planning/verify-plan.ts';
import { planStatus } from '../../../app/plans/state/plan-status.ts';
import { requesterOf } from '../../../app/plans/state/requester.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { notExecutable } from '../../../model/plan/plan-record.ts';
import { admitPlan } from '../../admit.ts';
import type { TrustFlag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { drive } from '../../drive.ts';
import { fail } from '../../fail.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { counted } from '../../render/counted.ts';

export interface EditFlags extends PlanFlags {
  /** They are edited already. */
  readonly taken: boolean;
}

/** Tasks in an editor, then checked; what is finished and still the same work stays finished. */
export function edit(flags: EditFlags, context: Context, ...ids: readonly string[]): Promise<Outcome> {
  const { json, taken } = flags;
  return withPlan(context, flags, async (tutti, found) => {
    if (!taken && context.input.isTerminal && !json) {
      const edited = await editTasks(tutti, found, ids);
      if (!edited.ok) return fail(context, edited.error, json);
    }
    const checked = await takeTaskFiles(tutti, found);
    if (!checked.ok) return fail(context, checked.error, json);
    const { plan, tasks } = checked.value;
    const waits = await answerApproval(tutti, plan.name, 'edit', requesterOf(tutti, undefined));
    const [changed, removed] = [tasks?.changed ?? [], tasks?.removed ?? []];
    if (json) printJson(context, { plan: plan.name, phase: plan.phase, changed, removed, run_waits: waits });
    else {
      const said =
        changed.length + removed.length === 0
          ? 'nothing changed'
          : [...changed.map((id) => `${id} changed`), ...removed.map((id) => `${id} removed`)].join(', ');
      printLines(context, [
        `plan ${plan.name}: ${counted(tasks?.total ?? 0, 'task')}, ${said}`,
        ...(waits ? ['  → its run looks at them again'] : []),
        ...(waits || notExecutable(plan) === null ? [] : [`  → ${planStatus(tutti, plan).next}`]),
      ]);
    }
    return 'SUCCESS';
  });
}

export interface VerifyFlags extends PlanFlags, TrustFlag {
  readonly detach: boolean;
}

/** The verifier once more, on the tasks as they are now. */
export async function verify(flags: VerifyFlags, context: Context): Promise<Outcome> {
  const { json, detach } = flags;
  const admitted = await admitPlan(context, flags);
  if (!admitted.ok) return fail(context, admitted.error, json);
  return withPlan(context, flags, async (tutti, found) => {
    const { plan } = found;
    const begun = await verifyPlan(tutti, found, flags);
    if (!begun.ok) return fail(context, begun.error, json);
    const { runId, how } = begun.value;
    if (how === 'reopened')
      return drive(context, tutti, { runId, after: tutti.queries.lastSeq(runId), detach, json });
    if (json) printJson(context, { plan: plan.name, run_id: runId, how });
    else
      printLines(context, [
        `plan ${plan.name}: the verifier looks again`,
        `  → watch it: tutti events ${runId} --follow`,
      ]);
    return 'SUCCESS';
  });
}
