import { skipTask } from '../../../app/plans/agent-led/reopen-task.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand, reasonFlag } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import { withPlan } from '../../plan-project.ts';
import { forceFlag, oneTask, type ReopenFlags, reportReopened } from './group.ts';

interface SkipFlags extends ReopenFlags {
  readonly reason?: string;
}

export const command = defineCommand<SkipFlags, [id: string]>({
  reads: false,
  parameters: {
    flags: {
      reason: reasonFlag,
      force: forceFlag,
      ...planFlags,
    },
    positional: oneTask,
  },
  about: 'Dependent tasks stay blocked.',
  examples: [['tutti task skip T019 --reason "not needed"', 'skip it, with a reason']],
  run: skip,
});

function skip(flags: SkipFlags, context: Context, id: string): Promise<Outcome> {
  const { reason = null, force } = flags;
  return withPlan(context, flags, async (tutti, found) =>
    reportReopened(context, flags, id, 'skipped', await skipTask(tutti, found, id, { reason, force })),
  );
}
