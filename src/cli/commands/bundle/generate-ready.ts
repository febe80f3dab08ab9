import { generateReady } from '../../../app/plans/bundles.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { writeBundles } from './group.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: false,
  parameters: { flags: planFlags },
  about: 'Prints the path of each bundle, or nothing if no task can start.',
  examples: [['tutti bundle generate-ready', 'generate bundles for all tasks that can start']],
  run: generateAllReady,
});

function generateAllReady(flags: PlanFlags, context: Context): Promise<Outcome> {
  return writeBundles(flags, context, generateReady);
}
