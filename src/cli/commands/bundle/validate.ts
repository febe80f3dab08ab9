import { validateBundle } from '../../../app/plans/bundles.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { checkBundle, examples, oneTask } from './family.ts';

export const command = defineCommand<PlanFlags, [id: string]>({
  reads: true,
  parameters: { flags: planFlags, positional: oneTask },
  about: 'Code 1 with file, place and reason when it has not.',
  examples,
  run: validate,
});

function validate(flags: PlanFlags, context: Context, id: string): Promise<Outcome> {
  return checkBundle(flags, context, id, async (_tutti, found) => validateBundle(found, id));
}
