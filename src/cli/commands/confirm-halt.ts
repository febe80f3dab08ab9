import { confirmPlanHalt } from '../../app/plans/agent-led/halt-plan.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { fail } from '../fail.ts';
import { planFlags } from '../plan-flags.ts';
import { type PlanFlags, withPlan } from '../plan-project.ts';
import { printHalt } from './halt-status.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: false,
  parameters: { flags: planFlags },
  about: 'Refuses while a task is running.',
  examples: [['tutti confirm-halt', 'confirm the halt after the last agent has finished']],
  run: confirmHalt,
});

function confirmHalt(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const confirmed = await confirmPlanHalt(tutti, found);
    if (!confirmed.ok) return fail(context, confirmed.error, flags.json);
    await printHalt(context, tutti, found, confirmed.value.halt, flags.json);
    return 'SUCCESS';
  });
}
