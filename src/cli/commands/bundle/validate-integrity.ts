import { validateIntegrity } from '../../../app/plans/bundles.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { checkBundle, examples, oneTask } from './family.ts';

export const command = defineCommand<PlanFlags, [id: string]>({
  reads: true,
  parameters: { flags: planFlags, positional: oneTask },
  about:
    'The task, both maps and the specification by their checksums, and the files it builds on. Code 1 when not.',
  examples,
  run: integrity,
});

function integrity(flags: PlanFlags, context: Context, id: string): Promise<Outcome> {
  return checkBundle(flags, context, id, (tutti, found) => validateIntegrity(tutti, found, id));
}
