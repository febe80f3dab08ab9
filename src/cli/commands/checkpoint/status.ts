import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printCheckpoint } from './group.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: true,
  parameters: { flags: planFlags },
  about: 'Shows the state of each task: running, success, failed or orphaned.',
  examples: [['tutti checkpoint status', 'show the checkpoint of the newest plan']],
  run: status,
});

function status(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, { plan }): Promise<Outcome> => {
    await printCheckpoint(context, tutti, plan, flags.json);
    return 'SUCCESS';
  });
}
