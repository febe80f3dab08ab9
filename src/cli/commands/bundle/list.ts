import { listBundles } from '../../../app/plans/bundles.ts';
import { oneLine } from '../../../lib/terminal-text.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { alignRows } from '../../render/width.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: true,
  parameters: { flags: planFlags },
  about: "Shows each bundle's problems, if any.",
  examples: [['tutti bundle list', 'list the bundles of the newest plan']],
  run: list,
});

function list(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const bundles = await listBundles(tutti, found);
    if (flags.json) {
      for (const { task, path, problem } of bundles)
        printJson<Output<'bundle-row'>>(context, { task_id: task, path, problem });
    } else {
      const rows = bundles.map(({ task, path, problem }) => [
        task,
        problem === null ? path : oneLine(problem),
      ]);
      printLines(context, alignRows(rows));
    }
    return 'SUCCESS';
  });
}
