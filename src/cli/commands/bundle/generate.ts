import { generateBundles } from '../../../app/plans/bundles.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { examples, oneTask, writeBundles } from './family.ts';

export const command = defineCommand<PlanFlags, [id: string]>({
  reads: false,
  parameters: { flags: planFlags, positional: oneTask },
  about:
    'bundles/ID-bundle.json: behaviors in full, files, criteria, constraints, dependencies. Prints where it is.',
  examples,
  run: generate,
});

function generate(flags: PlanFlags, context: Context, id: string): Promise<Outcome> {
  return writeBundles(flags, context, (tutti, found) => generateBundles(tutti, found, [id]));
}
