import { generateBundles } from '../../../app/plans/bundles.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { oneTask, writeBundles } from './group.ts';

export const command = defineCommand<PlanFlags, [id: string]>({
  reads: false,
  parameters: { flags: planFlags, positional: oneTask },
  about:
    'Writes bundles/ID-bundle.json: behaviors in full, files, criteria, constraints and dependencies.\n' +
    'Prints the path.',
  examples: [['tutti bundle generate T001', 'write everything its executor needs to one file']],
  run: generate,
});

function generate(flags: PlanFlags, context: Context, id: string): Promise<Outcome> {
  return writeBundles(flags, context, (tutti, found) => generateBundles(tutti, found, [id]));
}
