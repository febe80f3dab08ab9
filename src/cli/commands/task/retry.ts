import { planStatus } from '../../../app/plans/agent-led/plan-status.ts';
import { retryTask } from '../../../app/plans/agent-led/reopen-task.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import { withPlan } from '../../plan-project.ts';
import { printLines } from '../../print.ts';
import { forceFlag, oneTask, type ReopenFlags, reportReopened } from './group.ts';

export const command = defineCommand<ReopenFlags, [id: string]>({
  reads: false,
  parameters: { flags: { force: forceFlag, ...planFlags }, positional: oneTask },
  about:
    'Reopens a task that failed, was skipped, is done, or lost its process (`tutti checkpoint recover`).',
  examples: [['tutti task retry T019', 'run the task again']],
  run: retry,
});

function retry(flags: ReopenFlags, context: Context, id: string): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const retried = await retryTask(tutti, found, id, flags);
    const outcome = reportReopened(context, flags, id, 'pending', retried);
    const plan = await tutti.queries.plans.one(found.plan.name);
    const next = plan === null || !retried.ok ? null : (await planStatus(tutti, plan)).next;
    if (next !== null && !flags.json) printLines(context, [`  → ${next}`]);
    return outcome;
  });
}
