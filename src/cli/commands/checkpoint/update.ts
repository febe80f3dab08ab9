import { updatePlanCheckpoint } from '../../../app/plans/agent-led/checkpoints.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Acknowledged } from '../../../model/plan/checkpoint.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { oneOf } from '../../parsers.ts';
import { planFlags, taskArgument } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { changeCheckpoint } from './group.ts';

export const command = defineCommand<PlanFlags, [id: string, status: 'success' | 'failed']>({
  reads: false,
  parameters: {
    flags: planFlags,
    positional: {
      kind: 'tuple',
      parameters: [
        taskArgument,
        {
          parse: oneOf(['success', 'failed']),
          brief: 'success or failed',
          placeholder: 'STATUS',
          proposeCompletions: (partial) => ['success', 'failed'].filter((word) => word.startsWith(partial)),
        },
      ],
    },
  },
  about: 'Does not change the task; use `task complete` or `task fail`.',
  examples: [['tutti checkpoint update T001 success', 'record that a task succeeded']],
  run: update,
});

function update(flags: PlanFlags, context: Context, id: string, said: Acknowledged): Promise<Outcome> {
  return changeCheckpoint(flags, context, (tutti, found) => updatePlanCheckpoint(tutti, found, id, said));
}
