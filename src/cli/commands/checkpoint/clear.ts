import { clearPlanCheckpoint } from '../../../app/plans/agent-led/checkpoints.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { changeCheckpoint, examples } from './family.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: false,
  parameters: { flags: planFlags },
  about: 'Also when it still waits for a person.',
  examples,
  run: clear,
});

function clear(flags: PlanFlags, context: Context): Promise<Outcome> {
  return changeCheckpoint(flags, context, clearPlanCheckpoint);
}
