import { completePlanCheckpoint } from '../../../app/plans/agent-led/checkpoints.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { changeCheckpoint } from './group.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: false,
  parameters: { flags: planFlags },
  about: 'You can then create the next checkpoint.',
  examples: [['tutti checkpoint complete', 'close the checkpoint when all tasks have ended']],
  run: complete,
});

function complete(flags: PlanFlags, context: Context): Promise<Outcome> {
  return changeCheckpoint(flags, context, completePlanCheckpoint);
}
