import { cleanBundles } from '../../../app/plans/bundles.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Output } from '../../../model/schemas/published.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import { type PlanFlags, withPlan } from '../../plan-project.ts';
import { printJson, printLines } from '../../print.ts';
import { counted } from '../../../lib/counted.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: false,
  parameters: { flags: planFlags },
  about: 'Keeps results. `bundle generate` recreates the bundles.',
  examples: [['tutti bundle clean', 'delete the bundles of the newest plan']],
  run: clean,
});

function clean(flags: PlanFlags, context: Context): Promise<Outcome> {
  return withPlan(context, flags, (_tutti, found) => {
    const removed = cleanBundles(found);
    if (flags.json) printJson<Output<'bundle-clean'>>(context, { plan: found.plan.name, removed });
    else printLines(context, [`${counted(removed.length, 'bundle')} removed; results stay`]);
    return 'SUCCESS';
  });
}
