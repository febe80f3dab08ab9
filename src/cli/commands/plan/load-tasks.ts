import type { Outcome } from '../../../model/outcome.ts';
import type { Context } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { planFlags } from '../../plan-flags.ts';
import type { PlanFlags } from '../../plan-project.ts';
import { validate } from './validate.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: false,
  parameters: { flags: planFlags },
  about:
    'The same work keeps what became of it; other work under the same id starts over. A task at work may neither\n' +
    'change nor go. Tasks that own one file are put one after the other, and that is said.',
  examples: [['tutti plan load-tasks', 'after tasks/*.json were written or edited']],
  run: loadTasks,
});

function loadTasks(flags: PlanFlags, context: Context): Promise<Outcome> {
  return validate(flags, context, 'tasks');
}
