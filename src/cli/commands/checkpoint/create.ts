import { createPlanCheckpoint } from '../../../app/plans/agent-led/checkpoints.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags, taskArgument } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { changeCheckpoint } from './group.ts';

export const command = defineCommand<PlanFlags, string[]>({
  reads: false,
  parameters: { flags: planFlags, positional: { kind: 'array', parameter: taskArgument, minimum: 1 } },
  about:
    'Run it before you start agents, so that a crash leaves a list of tasks to check. A plan has at most\n' +
    'one open checkpoint.',
  examples: [['tutti checkpoint create T001 T002', 'record two tasks before starting their agents']],
  run: create,
});

function create(flags: PlanFlags, context: Context, ...ids: readonly string[]): Promise<Outcome> {
  return changeCheckpoint(flags, context, (tutti, found) => createPlanCheckpoint(tutti, found, ids));
}
