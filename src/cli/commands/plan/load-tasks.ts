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
    'Unchanged tasks keep their state; changed tasks start over. Refuses to change or remove a running\n' +
    'task. If several tasks own the same file, Tutti orders them and reports the order.',
  examples: [['tutti plan load-tasks', 'load tasks/*.json after writing or editing them']],
  run: loadTasks,
});

function loadTasks(flags: PlanFlags, context: Context): Promise<Outcome> {
  return validate(flags, context, 'tasks');
}
