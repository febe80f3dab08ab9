import { createPlanCheckpoint } from '../../../app/plans/agent-led/checkpoints.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags, taskArgument } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { changeCheckpoint, examples } from './family.ts';

export const command = defineCommand<PlanFlags, string[]>({
  reads: false,
  parameters: { flags: planFlags, positional: { kind: 'array', parameter: taskArgument, minimum: 1 } },
  about: 'Before they are sent out, so that a crash leaves a list of whom to look for. One at a time.',
  examples,
  run: create,
});

function create(flags: PlanFlags, context: Context, ...ids: readonly string[]): Promise<Outcome> {
  return changeCheckpoint(flags, context, (tutti, found) => createPlanCheckpoint(tutti, found, ids));
}
