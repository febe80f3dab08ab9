import { advancePlan } from '../../../app/plans/agent-led/advance-plan.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { fail } from '../../fail.ts';
import { planFlags } from '../../plan-flags.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: false,
  parameters: { flags: planFlags },
  about:
    'Runs all checks of the current phase again. If a check fails, lists what is missing and exits\n' +
    'with 1.',
  examples: [['tutti plan advance', 'move to the next phase']],
  run: advance,
});

function advance(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const advanced = await advancePlan(tutti, found);
    if (!advanced.ok) return fail(context, advanced.error, flags.json);
    const { from, plan } = advanced.value;
    if (flags.json) printJson<Output<'plan-advance'>>(context, { plan: plan.name, from, phase: plan.phase });
    else printLines(context, [`plan ${plan.name}: ${from} → ${plan.phase}`]);
    return 'SUCCESS';
  });
}
