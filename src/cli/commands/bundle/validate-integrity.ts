import { validateIntegrity } from '../../../app/plans/bundles.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { checkBundle, oneTask } from './group.ts';

export const command = defineCommand<PlanFlags, [id: string]>({
  reads: true,
  parameters: { flags: planFlags, positional: oneTask },
  about:
    'Compares the checksums of the task, the maps, the specification and the input files. Exits with 1 if\n' +
    'one has changed.',
  examples: [['tutti bundle validate-integrity T001', 'check that it is up to date']],
  run: integrity,
});

function integrity(flags: PlanFlags, context: Context, id: string): Promise<Outcome> {
  return checkBundle(flags, context, id, (tutti, found) => validateIntegrity(tutti, found, id));
}
