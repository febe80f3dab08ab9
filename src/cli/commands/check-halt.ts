import { findHalt } from '../../app/plan-record/find-halt.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { planFlags } from '../plan-flags.ts';
import { type PlanFlags, readPlan } from '../read-plan.ts';
import { printHalt } from './halt-status.ts';

export const command = defineCommand<PlanFlags, []>({
  reads: true,
  parameters: { flags: planFlags },
  about:
    'Exits with 1 if the plan is halted, otherwise with 0. A STOP file in the plan directory also halts\n' +
    'the plan.',
  examples: [['tutti check-halt || exit', 'stop a script if the plan is halted']],
  run: checkHalt,
});

/** A predicate: 1 when nothing new is to be started. */
function checkHalt(flags: PlanFlags, context: Context): Promise<Outcome> {
  return readPlan(context, flags, async (tutti, found): Promise<Outcome> => {
    const halt = findHalt(found.plan, found.paths);
    await printHalt(context, tutti, found, halt, flags.json);
    return halt === null ? 'SUCCESS' : 'FAILURE';
  });
}
