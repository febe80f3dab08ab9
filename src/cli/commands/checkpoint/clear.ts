import { clearPlanCheckpoint } from '../../../app/plans/agent-led/checkpoints.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { changeCheckpoint } from './group.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: false,
  parameters: { flags: planFlags },
  about: 'Deletes it even if it is waiting for a person.',
  examples: [['tutti checkpoint clear', 'delete the checkpoint']],
  run: clear,
});

function clear(flags: PlanFlags, context: Context): Promise<Outcome> {
  return changeCheckpoint(flags, context, clearPlanCheckpoint);
}
