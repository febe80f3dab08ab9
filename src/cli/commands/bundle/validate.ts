import { validateBundle } from '../../../app/plans/bundles.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { checkBundle, oneTask } from './group.ts';

export const command = defineCommand<PlanFlags, [id: string]>({
  reads: true,
  parameters: { flags: planFlags, positional: oneTask },
  about: 'Exits with 1 and prints the file, location and reason of each error.',
  examples: [['tutti bundle validate T001', 'validate one bundle']],
  run: validate,
});

function validate(flags: PlanFlags, context: Context, id: string): Promise<Outcome> {
  return checkBundle(flags, context, id, async (_tutti, found) => validateBundle(found, id));
}
